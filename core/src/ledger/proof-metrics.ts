import { Gauge } from 'prom-client';
import type { Ctx } from '../context/context.ts';
import { metrics } from '../metrics.ts';
import { ledgerProvedUntil, readLedgerDays } from './ledger-days.ts';

/** Created only in processes that know the values: elsewhere a 0 would be false. */
let gauges: { difference: Gauge } | null = null;
let provedUntil = Number.NaN;

function openGauges(): { difference: Gauge } {
  // The age grows while the database is away, so that its alarm is raised
  const age: Gauge = new Gauge({
    name: 'selvage_ledger_proof_age_seconds',
    help: 'Time since the end of the last proved day, or the first day where none is; NaN before the first message',
    registers: [metrics],
    aggregator: 'min',
    collect: () => age.set((Date.now() - provedUntil) / 1000),
  });
  const difference = new Gauge({
    name: 'selvage_ledger_difference',
    help: 'Messages and rows of the last 30 days that do not add up. Each is an alarm',
    registers: [metrics],
    aggregator: 'max',
  });
  return { difference };
}

/** Sets the metrics to the results of the proofs of the last days. */
export async function noteProofs(ctx: Ctx): Promise<void> {
  const days = await readLedgerDays(ctx);
  gauges ??= openGauges();
  const proved = days.flatMap((day) => day.proved ?? []);
  provedUntil = (await ledgerProvedUntil(ctx)) ?? Number.NaN;
  gauges.difference.set(proved.reduce((sum, { difference }) => sum + difference, 0));
}
