import { type Attributes, type FindOptions, type Model, type ModelStatic, Op, type WhereOptions } from 'sequelize';
import type { Ctx, TxCtx } from '../context/context.ts';
import { notFound } from '../errors.ts';

/** A record of a tenant: it names its company, or it is a company. */
export type OfTenant = Model & ({ companyId: string | null } | { id: string });

/** The condition that keeps a query of a table inside the scope (D1). */
export function inScope<M extends OfTenant>(ctx: Ctx, model: ModelStatic<M>): WhereOptions<Attributes<M>> {
  if (ctx.scope.kind === 'host') return {};
  const column = 'companyId' in model.getAttributes() ? 'companyId' : 'id';
  return { [column]: ctx.scope.companyId } as WhereOptions<Attributes<M>>;
}

/**
 * A record in the scope of the caller, locked until the transaction ends.
 * @throws AppError 404 when there is none, or it is permanently deleted
 */
export async function findInScope<M extends OfTenant & { id: string }>(
  ctx: TxCtx,
  model: ModelStatic<M>,
  id: string,
): Promise<M> {
  return await findOne(ctx, model, id, { transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
}

/**
 * The same without a lock, for a call that only reads.
 * @throws AppError 404
 */
export async function readInScope<M extends OfTenant & { id: string }>(
  ctx: Ctx,
  model: ModelStatic<M>,
  id: string,
  options: Pick<FindOptions<Attributes<M>>, 'include'> = {},
): Promise<M> {
  return await findOne(ctx, model, id, { ...options, transaction: ctx.tx });
}

async function findOne<M extends OfTenant & { id: string }>(
  ctx: Ctx,
  model: ModelStatic<M>,
  id: string,
  options: FindOptions<Attributes<M>>,
): Promise<M> {
  const notErased = 'erasedAt' in model.getAttributes() ? { erasedAt: null } : {};
  // Not merged into one object: for companies, the scope is a condition on `id` as well
  const where = { [Op.and]: [inScope(ctx, model), notErased, { id }] } as WhereOptions<Attributes<M>>;
  const found = await model.findOne({ ...options, where });
  if (!found) throw notFound(model.name.toLowerCase());
  return found;
}
