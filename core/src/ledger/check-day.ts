import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import type { Period } from './account-for-mail.ts';
import { addChecks, checkLedger, type LedgerCheck } from './check-ledger.ts';

const parts = Number(process.env['PARTS'] ?? 240);
/** For each connection the database reads on one core. */
const connections = Number(process.env['CONNS'] ?? 2);
const restShare = Number(process.env['REST'] ?? 0);

/**
 * Proves the ledger of a whole day at once, as `checkLedger` does for any period. Two connections
 * share its hours, which takes about three fifths of the time.
 */
export async function checkDay(ctx: Ctx, day: Period): Promise<LedgerCheck> {
  const slices = slicesOf(day).values();
  const found: LedgerCheck[] = [];
  const work = async (): Promise<void> => {
    for (const slice of slices) {
      const begin = performance.now();
      found.push(await checkLedger(ctx, slice));
      if (restShare) await sleep((performance.now() - begin) * restShare);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return found.reduce(addChecks);
}

function slicesOf({ from, to }: Period): Period[] {
  const length = (to.getTime() - from.getTime()) / parts;
  const start = (slice: number): Date => new Date(from.getTime() + slice * length);
  return Array.from({ length: parts }, (_, slice) => ({ from: start(slice), to: start(slice + 1) }));
}
