import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import type { Period } from './account-for-mail.ts';
import { addChecks, checkLedger, type LedgerCheck } from './check-ledger.ts';

/**
 * A day is proved in this many parts. With ten million rows a day, each part takes a tenth of a
 * second.
 */
const parts = 240;
/**
 * The rest after each part, as a share of the time that the part took, so that the database can
 * serve the mail of the host meanwhile.
 */
const restShare = 0.4;

/**
 * Proves the ledger of a whole day in one call, part by part, as `checkLedger` does for a period.
 */
export async function checkDay(ctx: Ctx, { from, to }: Period): Promise<LedgerCheck> {
  const length = (to.getTime() - from.getTime()) / parts;
  const start = (part: number): Date => new Date(from.getTime() + part * length);
  const found: LedgerCheck[] = [];
  for (let part = 0; part < parts; part += 1) {
    const begin = performance.now();
    found.push(await checkLedger(ctx, { from: start(part), to: start(part + 1) }));
    await sleep((performance.now() - begin) * restShare);
  }
  return found.reduce(addChecks);
}
