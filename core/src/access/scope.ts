import type { Model, ModelStatic, WhereOptions } from 'sequelize';
import { notFound } from '../errors.ts';
import type { Ctx } from '../context/context.ts';

/** The condition that keeps a query inside the scope (D1). */
export function inScope(ctx: Ctx): { companyId?: string } {
  return ctx.scope.kind === 'host' ? {} : { companyId: ctx.scope.companyId };
}

/**
 * Loads a record that lies in the scope. A record of another tenant and a missing one give the same
 * answer (D2).
 * @throws 404
 */
export async function findInScope<M extends Model & { companyId: string }>(
  ctx: Ctx,
  model: ModelStatic<M>,
  id: string,
): Promise<M> {
  const where = { id, ...inScope(ctx) } as unknown as WhereOptions;
  const found = await model.findOne({ where, transaction: ctx.tx });
  if (!found) throw notFound(model.name);
  return found;
}
