import type { Ctx } from '../context/context.ts';

/** The condition that keeps a query inside the scope (D1). */
export function inScope(ctx: Ctx): { companyId?: string } {
  return ctx.scope.kind === 'host' ? {} : { companyId: ctx.scope.companyId };
}
