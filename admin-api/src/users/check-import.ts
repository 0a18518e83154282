import { setImmediate } from 'node:timers/promises';
import { isOutranked } from '@selvage/core/access/grant';
import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import type { Ctx, TxCtx } from '@selvage/core/context/context';
import { importColumns } from '@selvage/core/contracts/many-users';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { isPersonName, notAName } from '@selvage/core/contracts/person-name';
import { optionalLine, requiredLine } from '@selvage/core/contracts/records';
import { newUserForm } from '@selvage/core/contracts/users';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { checkSeats, requireSeat } from '@selvage/core/directory/plan-limits';
import { AppError, conflict } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { Role } from '@selvage/core/models/role';
import { z } from 'zod';
import { addressTakenText, ownersNameProblem } from '../addresses/claim-address.ts';
import { lockCompany, requireCompany } from './guard-user.ts';
import type { Field, ImportFile, ImportRow, Problem } from './read-import.ts';

/** A person of an import who can be added. */
export interface NewPerson {
  roleId: string;
  roleName: string;
  domainId: string;
  email: string;
  fname: string;
  lname: string;
  phoneNumber: string | null;
  designation: string | null;
  country: string | null;
  activeStatus: boolean;
}

/** How many rows are checked in one go. Between these, other requests are served. */
const rowsAtOnce = 100;

const { email, phone_number } = newUserForm.shape;

const rowForm = z.object({
  fname: requiredLine('First name is required', 100).refine(isPersonName, notAName('First name')),
  lname: optionalLine(100).refine(isPersonName, notAName('Last name')),
  email,
  phone_number,
  role: z.string(),
  designation: optionalLine(100),
  country: optionalLine(100),
});

/** What a company offers to new people. */
interface Choices {
  /** Roles by lower-case name; null for a role that the caller may not assign. */
  roles: Map<string, Pick<Role, 'id' | 'roleName'> | null>;
  usual: Pick<Role, 'id' | 'roleName'> | undefined;
  /** Ids of domains by name. */
  domains: Map<string, string>;
  /** Why the caller may not give an address because of its name; null when they may. */
  problemOfName: (address: string) => string | null;
}

/**
 * Checks every row of a file against the present state of a company. It locks no rows.
 * @throws 422 when the company is not in the caller's scope
 */
export async function checkImport(
  ctx: Ctx,
  { rows, problems: found }: Pick<ImportFile, 'rows' | 'problems'>,
  companyId: string,
): Promise<{ people: NewPerson[]; problems: Problem[] }> {
  await requireCompany(ctx, companyId);
  const choices = await choicesOf(ctx, companyId);
  const problems = [...found, ...(await seatProblems(ctx, companyId, rows.length))];
  const people: NewPerson[] = [];
  const linesByAddress = new Map<string, number>();
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    const checked = some.map((row) => checkRow(row, { choices, linesByAddress, problems }));
    const addresses = checked.flatMap(({ newAddress }) => newAddress ?? []);
    problems.push(...(await takenOf(ctx, addresses, linesByAddress)));
    people.push(...checked.flatMap(({ person }) => person ?? []));
    await setImmediate();
  }
  return { people, problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** A company without enough free seats is reported as a problem of the whole file. */
async function seatProblems(ctx: Ctx, companyId: string, count: number): Promise<Problem[]> {
  try {
    await checkSeats(ctx, companyId, count);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'users_limit_reached') throw error;
    return [{ line: 1, column: '', message: `${error.publicText} The file has ${count} users.` }];
  }
}

/**
 * Locks the company, and checks again that it has free seats and still has the roles and domains of
 * the new people. Only a company with a limit of users is locked against other calls that add
 * people.
 * @throws 409 `users_limit_reached`, or `company_changed` when a role or domain was removed
 * meanwhile, 422
 */
export async function lockForImport(ctx: TxCtx, companyId: string, people: readonly NewPerson[]): Promise<void> {
  await lockCompany(ctx, companyId);
  const { roles, domains } = await choicesOf(ctx, companyId);
  await requireSeat(ctx, companyId, people.length);
  const roleIds = new Set([...roles.values()].map((role) => String(role?.id)));
  const domainIds = new Set(domains.values());
  if (people.every(({ roleId, domainId }) => roleIds.has(roleId) && domainIds.has(domainId))) return;
  throw conflict('Roles or domains of the company were changed meanwhile. Check the file again.', 'company_changed');
}

async function choicesOf(ctx: Ctx, companyId: string): Promise<Choices> {
  const kept = { where: { companyId, deletedAt: null }, transaction: ctx.tx };
  const locked = ctx.tx ? { ...kept, lock: ctx.tx.LOCK.SHARE } : kept;
  const roles = await Role.findAll(locked);
  const domains = await Domain.findAll({ ...locked, where: { companyId, ...canHaveAddresses } });
  const ids = roles.map(({ id }) => String(id));
  const flags = await permissionsOfRoles(ctx, ids);
  const mayGive = ({ id, roleId, activeStatus }: Role): boolean =>
    activeStatus && ctx.actor !== null && !isOutranked(ctx.actor, flags.get(String(id)) ?? [], roleId);
  return {
    roles: new Map(roles.map((role) => [role.roleName.toLowerCase(), mayGive(role) ? role : null])),
    usual: roles.find((role) => role.roleId === builtInRole.user && mayGive(role)),
    domains: new Map(domains.map(({ id, domainName }) => [domainName, String(id)])),
    problemOfName: (address) => ownersNameProblem(ctx, { companyId, address }),
  };
}

interface Checks {
  choices: Choices;
  linesByAddress: Map<string, number>;
  problems: Problem[];
}

interface CheckedRow {
  /** Null when something is wrong with the row. */
  person: NewPerson | null;
  /** The address of the row; null when no person can have it, or a row before has it. */
  newAddress: string | null;
}

/** Checks a row. What is wrong with one field hides no problem of another. */
function checkRow({ line, values, isSuspended }: ImportRow, { choices, linesByAddress, problems }: Checks): CheckedRow {
  const wrongFields = new Set<string>();
  // Reports only the first problem of each field, as a form does
  const tell = (field: Field, message: string): void => {
    if (!wrongFields.has(field)) problems.push({ line, column: titleOf(field), message });
    wrongFields.add(field);
  };
  const { data, error } = rowForm.safeParse(values);
  for (const { path, message } of error?.issues ?? []) tell(path[0] as Field, message);
  const role = roleOf(values.role, choices);
  if (typeof role === 'string') tell('role', role);
  const typed = rowForm.shape.email.safeParse(values.email).data;
  const address = typed === undefined ? null : addressOf(typed, choices);
  if (address?.problem) tell('email', address.problem);
  const first = address ? linesByAddress.get(address.email) : undefined;
  if (first !== undefined) tell('email', `The same address is in line ${first}`);
  const newAddress = address && !wrongFields.has('email') ? address.email : null;
  if (newAddress !== null) linesByAddress.set(newAddress, line);
  if (!data || !address || typeof role === 'string' || wrongFields.size > 0) return { person: null, newAddress };
  const person = {
    roleId: String(role.id),
    roleName: role.roleName,
    domainId: address.domainId,
    email: address.email,
    fname: data.fname,
    lname: data.lname ?? '',
    phoneNumber: data.phone_number || null,
    designation: data.designation || null,
    country: data.country || null,
    activeStatus: !isSuspended,
  };
  return { person, newAddress };
}

function titleOf(field: Field): string {
  return importColumns.find((column) => column.field === field)?.title ?? '';
}

/**
 * The role of a row, or a message when its name is wrong. Without a name, the company's default
 * role.
 */
function roleOf(name: string, { roles, usual }: Choices): Pick<Role, 'id' | 'roleName'> | string {
  if (name === '') return usual ?? 'Role is required';
  const role = roles.get(name.toLowerCase());
  if (role === undefined) return 'The company has no such role';
  return role ?? 'You cannot give this role, or it is switched off';
}

interface CheckedAddress {
  email: string;
  domainId: string;
  problem: string | null;
}

function addressOf(typed: string, { domains, problemOfName }: Choices): CheckedAddress {
  const address = normaliseAddress(typed);
  if (!address) return { email: typed, domainId: '', problem: 'Invalid email format' };
  const domainId = domains.get(domainOf(address));
  if (domainId) return { email: address, domainId, problem: problemOfName(address) };
  return { email: address, domainId: '', problem: `The company does not have the domain ${domainOf(address)}` };
}

/** Problems of addresses that a person (perhaps a deleted one), an alias or a group already has. */
async function takenOf(ctx: Ctx, emails: string[], lines: Map<string, number>): Promise<Problem[]> {
  if (emails.length === 0) return [];
  const where = { address: emails };
  const taken = await Address.findAll({ where, attributes: ['address'], transaction: ctx.tx, raw: true });
  return taken.map(({ address }) => ({
    line: lines.get(address) ?? 0,
    column: titleOf('email'),
    message: addressTakenText,
  }));
}
