import type { Transaction } from 'sequelize';
import { fullName } from '@selvage/core/contracts/full-name';
import { recordAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import type { listEnvironment, updateVariable, VariableDto, VariableForm } from '@selvage/core/contracts/environment';
import { readHostState, readProcesses, writeRevision } from '@selvage/core/environment/host-state';
import { openVariable, sealVariable } from '@selvage/core/environment/stored-variables';
import { conflict, invalid, notFound, unavailable } from '@selvage/core/errors';
import { EnvironmentVariable } from '@selvage/core/models/environment-variable';
import { User } from '@selvage/core/models/user';
import { hasEffect, problemOfSetting, settableNames, whyNotSettable } from '@selvage/core/process/settable-settings';
import { requireConfirmed, requireProof } from '../auth/confirmed-session.ts';
import { countAttempt, rules } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentSetting, presentVariable, type Presented } from './present-variable.ts';
import { presentRestart } from './restart.ts';

/** Far more than there are settings. */
const maxVariables = 300;

/** The list, the settings that it can hold, and whether a restart is needed. */
export async function findVariables(ctx: SignedIn): Promise<InferAnswer<typeof listEnvironment>> {
  const state = await readHostState(ctx);
  const processes = await readProcesses(ctx);
  const rows = await EnvironmentVariable.findAll({ order: [['name', 'ASC']] });
  const people = await namesOf(rows);
  const { config } = ctx.app;
  const oldest = Math.min(config.source.revision, ...processes.map(({ revision }) => revision));
  return {
    variables: rows.map((row) => presentVariable(ctx, presentedOf(ctx, row, oldest, people))),
    settings: settableNames().map((name) => presentSetting(ctx, name)),
    needs_restart: state.revision > oldest,
    is_used: config.usesStoredEnvironment,
    restart: await presentRestart(ctx, state, processes),
  };
}

/**
 * Adds a variable.
 * @throws 409 when the list already has it, 422 for a name that the list can't hold and for a wrong
 * value
 */
export async function addVariable(ctx: SignedIn, { key, value }: VariableForm): Promise<VariableDto> {
  refuseUnusable(key, value);
  return await changeList(ctx, key, async (tx, revision) => {
    if (await EnvironmentVariable.findOne({ where: { name: key }, transaction: tx.tx })) throw taken();
    if ((await EnvironmentVariable.count({ transaction: tx.tx })) >= maxVariables) throw tooManyVariables();
    const sealedValue = sealVariable(ctx.app.secrets, key, value);
    const changedBy = ctx.actor.userId;
    const made = await EnvironmentVariable.create(
      { name: key, sealedValue, revision, changedBy },
      { transaction: tx.tx },
    );
    await audit(tx, 'created', made);
    return made;
  });
}

/**
 * Gives a variable another value.
 * @throws 404, 409 when it was changed meanwhile, 422 for a wrong value
 */
export async function changeVariable(
  ctx: SignedIn,
  { key, value, version }: InferBody<typeof updateVariable>,
): Promise<VariableDto> {
  refuseUnusable(key, value);
  return await changeList(ctx, key, async (tx, revision) => {
    const found = await findVariable(tx, key);
    const sealedValue = sealVariable(ctx.app.secrets, key, value);
    await saveForm(tx, found, {
      changes: { sealedValue, revision, changedBy: ctx.actor.userId },
      fields: { sealedValue: 'value' },
      startedFrom: version,
      entity: 'environment-variable',
      action: 'environment:updated',
      companyId: ctx.actor.companyId,
      details: { name: key },
      present: () => presentChanged(ctx, tx, found),
    });
    return found;
  });
}

/** @throws 404 */
export async function removeVariable(ctx: SignedIn, key: string): Promise<void> {
  await changeList(ctx, key, async (tx) => {
    const found = await findVariable(tx, key);
    await found.destroy({ transaction: tx.tx });
    await audit(tx, 'removed', found);
    return found;
  });
}

/**
 * The value of a secret variable, for a person who enters their password again. Each try is
 * counted, and refused while it can't be counted, so that a stolen session can't be used to guess
 * the password here.
 * @throws 403 `confirm_first`, 404, 422, 429
 */
export async function readSecret(
  ctx: SignedIn,
  { key, password }: { key: string; password: string },
): Promise<{ key: string; value: string }> {
  await countAttempt(ctx.app, rules.revealSecret, ctx.actor.userId);
  await requireProof(ctx, password);
  return await inTransaction(ctx, async (tx) => {
    const found = await findVariable(tx, key);
    await audit(tx, 'revealed', found);
    try {
      return { key, value: openVariable(ctx.app.secrets, found) };
    } catch (error) {
      throw unavailable('a variable can’t be opened', error);
    }
  });
}

/**
 * Changes the list. A setting can send the mail of all companies elsewhere, so a stolen session
 * must not change one. The list is locked, so that two people who add the same name at once do not
 * conflict. A change that has an effect raises the revision, by which processes see that they lack
 * it.
 */
async function changeList(
  ctx: SignedIn,
  key: string,
  change: (tx: TxCtx, revision: number) => Promise<EnvironmentVariable>,
): Promise<VariableDto> {
  return await inTransaction(ctx, async (tx) => {
    await requireConfirmed({ ...ctx, tx: tx.tx });
    const state = await readHostState(tx, { isLocked: true });
    const revision = hasEffect(key) ? state.revision + 1 : state.revision;
    const changed = await change(tx, revision);
    await writeRevision(tx, revision);
    return await presentChanged(ctx, tx, changed);
  });
}

/**
 * Reads through the transaction's connection: callers that wait for its lock may hold all others.
 */
async function presentChanged(ctx: SignedIn, { tx }: TxCtx, row: EnvironmentVariable): Promise<VariableDto> {
  return presentVariable(ctx, presentedOf(ctx, row, ctx.app.config.source.revision, await namesOf([row], tx)));
}

function refuseUnusable(key: string, value: string): void {
  const refusal = whyNotSettable(key);
  if (refusal !== null) throw invalid({ key: refusal }, refusal);
  const problem = problemOfSetting(key, value);
  if (problem !== null) throw invalid({ value: problem });
}

async function findVariable(tx: TxCtx, key: string): Promise<EnvironmentVariable> {
  // The column is ASCII, and MariaDB refuses to compare it with other letters
  if (!/^[ -~]*$/.test(key)) throw notFound('variable');
  const found = await EnvironmentVariable.findOne({ where: { name: key }, transaction: tx.tx });
  if (!found) throw notFound('variable');
  return found;
}

/** Records an audit event, which never contains the value. */
async function audit(tx: TxCtx, what: 'created' | 'removed' | 'revealed', found: EnvironmentVariable): Promise<void> {
  await recordAudit(tx, {
    action: `environment:${what}`,
    entity: 'environment-variable',
    entityId: String(found.id),
    details: { name: found.name },
  });
}

function presentedOf(
  { app }: SignedIn,
  row: EnvironmentVariable,
  oldest: number,
  people: ReadonlyMap<string, string>,
): Presented {
  let value: string | null = null;
  try {
    value = openVariable(app.secrets, row);
  } catch {
    // The value was sealed with another secret key
  }
  return { row, value, oldest, by: row.changedBy === null ? null : (people.get(String(row.changedBy)) ?? null) };
}

async function namesOf(
  rows: readonly EnvironmentVariable[],
  transaction: Transaction | null = null,
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ changedBy }) => (changedBy === null ? [] : [String(changedBy)])))];
  if (ids.length === 0) return new Map();
  const people = await User.findAll({ where: { id: ids }, attributes: ['id', 'fname', 'lname'], transaction });
  return new Map(people.map(({ id, fname, lname }) => [String(id), fullName({ fname, lname })]));
}

function taken(): Error {
  const text = 'This key is already in the list.';
  return conflict(text, 'variable_taken', { key: text });
}

function tooManyVariables(): Error {
  return conflict(`There are ${maxVariables} variables already. Delete one that is not used.`, 'too_many_variables');
}
