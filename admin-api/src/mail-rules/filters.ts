import { recordAccountAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import { type FilterDto, mostFilters, type updateFilter } from '@selvage/core/contracts/mail-rules';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import { lockUser } from '@selvage/core/directory/lock-user';
import { invalid, notFound } from '@selvage/core/errors';
import { applyToInbox, type WalkProgress } from '@selvage/core/mailstore/apply-filter';
import { noteRules } from '@selvage/core/mailstore/note-rules';
import { Folder } from '@selvage/core/models/folder';
import { Label } from '@selvage/core/models/label';
import { MailFilter } from '@selvage/core/models/mail-filter';
import type { User } from '@selvage/core/models/user';
import { countOwnChange } from '../account/count-own-change.ts';
import type { SignedIn } from '../http/request-context.ts';

type FilterForm = Pick<FilterDto, 'name' | 'conditions' | 'actions'>;

const present = ({ id, name, isOn, conditions, actions, version }: MailFilter): FilterDto => ({
  _id: String(id),
  name,
  is_on: isOn,
  conditions,
  actions,
  version,
});

/** The caller's filters, in the order in which they apply. */
export async function listOwnFilters(ctx: SignedIn): Promise<FilterDto[]> {
  return (await readOwn(ctx)).map(present);
}

/**
 * Adds a filter after the caller's others.
 * @throws 422
 */
export async function addFilter(ctx: SignedIn, form: FilterForm): Promise<FilterDto> {
  return await changeOwn(ctx, async (tx, user) => {
    checkForward(user, form.actions);
    await checkLabel(tx, user, form.actions);
    await checkFolder(tx, user, form.actions);
    const others = await readOwn(ctx, tx);
    if (others.length >= mostFilters) {
      const text = `You have ${mostFilters} filters. Delete one first.`;
      throw invalid({ name: text }, text);
    }
    const place = (others.at(-1)?.place ?? 0) + 1;
    const owner = { companyId: String(user.companyId), userId: String(user.id) };
    const filter = await MailFilter.create({ ...owner, ...form, place }, { transaction: tx.tx });
    await note(tx, user, { action: 'filter:created', filter });
    return present(filter);
  });
}

/** @throws 404, 409 when it was changed meanwhile, 422 */
export async function changeFilter(
  ctx: SignedIn,
  id: string,
  { is_on: isOn, version: startedFrom, ...form }: InferBody<typeof updateFilter>,
): Promise<FilterDto> {
  return await changeOwn(ctx, async (tx, user) => {
    const filter = await MailFilter.findOne({ where: { id, userId: String(user.id) }, transaction: tx.tx });
    if (!filter) throw notFound('filter');
    if (form.actions) {
      checkForward(user, form.actions);
      await checkLabel(tx, user, form.actions);
      await checkFolder(tx, user, form.actions);
    }
    const changes = { ...form, ...(isOn === undefined ? {} : { isOn }) };
    const { actions, isOn: wasOn } = filter;
    await saveForm(tx, filter, {
      changes,
      fields: { name: 'name', conditions: 'conditions', actions: 'actions', isOn: 'is_on' },
      startedFrom,
      entity: 'filter',
      action: 'filter:updated',
      details: detailsOf({ id, actions, isOn: wasOn, ...changes }),
      present: () => present(filter),
    });
    return present(filter);
  });
}

/**
 * Puts all filters of the caller into another order.
 * @throws 404 when one of them is not the caller's, 422 when one of the caller's is missing
 */
export async function orderOwnFilters(ctx: SignedIn, ids: readonly string[]): Promise<void> {
  await changeOwn(ctx, async (tx) => {
    const filters = await readOwn(ctx, tx);
    const places = new Map(ids.map((id, index) => [id, index + 1]));
    const own = new Set(filters.map(({ id }) => String(id)));
    if (ids.some((id) => !own.has(id))) throw notFound('filter');
    if (places.size < filters.length) throw invalid({ filter_ids: 'Name all of your filters, each once.' });
    for (const filter of filters) {
      await filter.update({ place: places.get(String(filter.id)) ?? 0 }, { transaction: tx.tx });
    }
  });
}

/**
 * Applies a filter of the caller to the messages in their inbox.
 * @throws 403, 404
 */
export async function applyOwnFilter(ctx: SignedIn, id: string, until: string): Promise<WalkProgress> {
  const { userId } = ctx.actor;
  const filter = await MailFilter.findOne({ where: { id, userId } });
  if (!filter) throw notFound('filter');
  const { conditions, actions } = filter;
  return await applyToInbox(ctx, { userId, conditions, actions, until });
}

/** @throws 404 */
export async function removeOwnFilter(ctx: SignedIn, id: string): Promise<void> {
  await changeOwn(ctx, async (tx, user) => {
    const filter = await MailFilter.findOne({ where: { id, userId: String(user.id) }, transaction: tx.tx });
    if (!filter) throw notFound('filter');
    await filter.destroy({ transaction: tx.tx });
    await note(tx, user, { action: 'filter:removed', filter });
  });
}

/** Records that a filter came or went. */
async function note(
  tx: TxCtx,
  user: User,
  { action, filter }: { action: `filter:${'created' | 'removed'}`; filter: MailFilter },
): Promise<void> {
  await recordAccountAudit(tx, user, action, { details: detailsOf(filter) });
}

/**
 * What the audit trail keeps of a filter, since an attacker may hide mail by a filter. It contains
 * no text of the person's.
 */
function detailsOf({ id, actions, isOn }: Pick<MailFilter, 'id' | 'actions' | 'isOn'>) {
  const { move_to: moveTo = null, folder, forward: forwards = false } = actions;
  const movesTo = folder === undefined ? moveTo : 'own';
  return { filter: String(id), moves_to: movesTo, forwards, is_on: isOn };
}

/** A filter may forward only to the caller's one forwarding address, once that has agreed. */
function checkForward(user: User, { forward }: FilterForm['actions']): void {
  if (forward !== true || (user.forwardTo !== null && user.forwardConfirmedAt !== null)) return;
  const text = 'Set up forwarding first: a filter forwards to the address that has agreed to it.';
  throw invalid({ 'actions.forward': text }, text);
}

/** When the label is deleted later, the filter ignores it for new mail (D60). */
async function checkLabel(tx: TxCtx, user: User, { label }: FilterForm['actions']): Promise<void> {
  if (label === undefined) return;
  const where = { id: label, userId: String(user.id), removedAt: null };
  if ((await Label.count({ where, transaction: tx.tx })) > 0) return;
  const text = 'This label no longer exists. Choose another one.';
  throw invalid({ 'actions.label': text }, text);
}

/** When the folder is deleted later, new mail for it stays in the inbox (D63). */
async function checkFolder(tx: TxCtx, user: User, { folder }: FilterForm['actions']): Promise<void> {
  if (folder === undefined) return;
  const where = { id: folder, userId: String(user.id), role: null, removedAt: null };
  if ((await Folder.count({ where, transaction: tx.tx })) > 0) return;
  const text = 'This folder no longer exists. Choose another one.';
  throw invalid({ 'actions.folder': text }, text);
}

async function readOwn(ctx: SignedIn, tx?: TxCtx): Promise<MailFilter[]> {
  return await MailFilter.findAll({
    where: { userId: ctx.actor.userId },
    order: [
      ['place', 'ASC'],
      ['id', 'ASC'],
    ],
    ...(tx && { transaction: tx.tx }),
  });
}

/** Runs a change under a lock, so that changes of one person's filters run one after the other. */
async function changeOwn<T>(ctx: SignedIn, change: (tx: TxCtx, user: User) => Promise<T>): Promise<T> {
  await countOwnChange(ctx);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const result = await change(tx, user);
    await noteRules(tx, ctx.actor.userId);
    return result;
  });
}
