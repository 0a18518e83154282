import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { fullName } from '@selvage/core/contracts/full-name';
import { recordAudits } from '@selvage/core/access/audit';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import {
  type ImportDto,
  type importUsers as importContract,
  maxImportProblems,
} from '@selvage/core/contracts/many-users';
import { insertPeople } from '@selvage/core/directory/insert-people';
import { AppError, conflict, invalid } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { hashRandomPassword } from '@selvage/core/secrets/password-hash';
import { readableCode } from '@selvage/core/secrets/readable-code';
import { UniqueConstraintError } from 'sequelize';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { checkImport, lockForImport, type NewPerson } from './check-import.ts';
import { importOnce } from './import-once.ts';
import { type Progress, setImportProgress } from './import-progress.ts';
import { requireConfirmedToGrant } from '../auth/confirmed-session.ts';
import { type ImportFile, readImport } from './read-import.ts';

type Body = InferBody<typeof importContract>;
type Added = NonNullable<ImportDto['added']>;

/** How many people one statement adds. Between statements, other requests are served. */
const peopleAtOnce = 100;

/**
 * Adds the people of a CSV file to a company, all or none. The host makes their passwords. Each has
 * at least 112 random bits, appears only in this answer, and has to be changed at the first login.
 * A call that is repeated under the same id gets the answer again. With `dry_run`, this only
 * reports the problems of the file.
 * @throws 403 `confirm_first`, 409 when an address is taken, or the company changes while the
 * import runs, or `import_running`, 413, 422, 503 when it takes longer than a request may
 */
export async function importUsers(ctx: SignedIn, body: Body, files: UploadedFile[]): Promise<ImportDto> {
  const startedAt = Date.now();
  const file = await readImport(files);
  const companyId = body.companyId ?? ctx.actor.companyId;
  if (body.dry_run) return (await checkFile(ctx, file, companyId)).found;
  const { import_id: importId } = body;
  const run = () => addPeople(ctx, file, { companyId, importId, startedAt });
  if (!importId) return await run();
  return await importOnce(ctx, { importId, companyId, fileHash: file.hash }, run);
}

/** What is found in a file, and the people that can be added if it has no problem. */
async function checkFile(ctx: SignedIn, file: ImportFile, companyId: string) {
  const { people, problems } = await checkImport(ctx, file, companyId);
  const found: ImportDto = {
    people: file.rows.length,
    problemCount: problems.length,
    problems: problems.slice(0, maxImportProblems),
    guessed: file.guessed,
    suspended: file.rows.filter(({ isSuspended }) => isSuspended).length,
    left_out: file.leftOut,
    added: null,
  };
  return { people, found };
}

interface Run {
  companyId: string;
  importId: string | undefined;
  startedAt: number;
}

async function addPeople(ctx: SignedIn, file: ImportFile, { companyId, importId, startedAt }: Run): Promise<ImportDto> {
  const { people, found } = await checkFile(ctx, file, companyId);
  if (found.problemCount > 0) throw hasProblems(found.problemCount);
  const granted = await permissionsOfRoles(ctx, [...new Set(people.map(({ roleId }) => roleId))]);
  await requireConfirmedToGrant(ctx, [...granted.values()].flat());
  const added = await inTransaction(ctx, async (tx) => {
    await lockForImport(tx, companyId, people);
    const all = await addAll(tx, people, {
      companyId,
      tell: (done) => tellProgress(ctx, importId, { done, people: people.length }),
    });
    // After the time limit the caller would get no answer, and without an id could not ask again
    if (Date.now() - startedAt > ctx.app.config.requestTimeoutSeconds * answeredShare) throw tookTooLong();
    return all;
  });
  return { ...found, added };
}

/**
 * The part of a request's time limit in which an import must end, in milliseconds for each second.
 */
const answeredShare = 900;

function tookTooLong(): AppError {
  const publicText = 'The import took too long, so no user was added. Split the file into smaller ones.';
  return new AppError({ status: 503, code: 'import_too_long', publicText });
}

/** Stores the progress. If Redis can't store it, the import goes on. */
async function tellProgress(ctx: SignedIn, importId: string | undefined, progress: Progress): Promise<void> {
  if (!importId) return;
  await setImportProgress(ctx, importId, progress).catch((error: unknown) => {
    log.warn('the progress of an import could not be kept', { error });
  });
}

function hasProblems(count: number) {
  const text = `The file has ${count === 1 ? 'a problem' : `${count} problems`}. No user was added: check it first.`;
  return invalid({ file: text }, text);
}

interface AddOptions {
  companyId: string;
  /** Stores how many people have been added. */
  tell: (done: number) => Promise<void>;
}

async function addAll(tx: TxCtx, people: NewPerson[], { companyId, tell }: AddOptions): Promise<Added> {
  const added: Added = [];
  await tell(0);
  for (let at = 0; at < people.length; at += peopleAtOnce) {
    added.push(...(await addSome(tx, people.slice(at, at + peopleAtOnce), companyId)));
    await tell(added.length);
  }
  return added;
}

async function addSome(tx: TxCtx, people: NewPerson[], companyId: string): Promise<Added> {
  const secrets = await Promise.all(
    people.map(async () => {
      const password = readableCode(24, 4);
      return { password, passwordHash: await hashRandomPassword(password) };
    }),
  );
  const rows = people.map(({ roleName: _name, ...person }, index) => ({
    ...person,
    companyId,
    passwordHash: secrets[index]?.passwordHash ?? '',
    passwordChangeRequired: true,
  }));
  const ids = await insertUnique(tx, rows);
  await recordAudits(
    tx,
    people.map(({ email, roleName, activeStatus }, index) => ({
      action: 'user:created' as const,
      entity: 'user',
      entityId: ids[index] ?? '',
      companyId,
      details: { email, role: roleName, imported: true, ...(activeStatus ? {} : { active_status: false }) },
    })),
  );
  return people.map(({ fname, lname, email, activeStatus }, index) => ({
    name: fullName({ fname, lname }),
    email,
    active_status: activeStatus,
    password: secrets[index]?.password ?? '',
  }));
}

async function insertUnique(tx: TxCtx, rows: Parameters<typeof insertPeople>[1]): Promise<string[]> {
  try {
    return await insertPeople(tx, rows);
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw conflict('An address of the file was taken meanwhile. Check the file again.', 'address_taken');
  }
}
