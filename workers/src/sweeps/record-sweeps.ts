import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { resumeErasures } from '@selvage/core/directory/unfinished-erasures';
import { proveNextSlice } from '@selvage/core/ledger/prove-days';
import { log } from '@selvage/core/log';
import { countCompanies } from '@selvage/core/mailstore/count-companies';
import { resumeRemovals } from '@selvage/core/mailstore/unfinished-removals';
import { resumeHolds } from '@selvage/core/outbound/unfinished-holds';
import { restAfter } from '@selvage/core/sweeps/rest';
import { deleteOldRows, type KeptTable, keptTables } from '@selvage/core/sweeps/retention';
import type { SweepName } from '@selvage/core/sweeps/take-step';
import { dayMs, hourMs } from '@selvage/core/utc-day';
import { nextOf, type SlowSweep } from './slow-sweep.ts';

/** Deletes rows of the ledger, the audit log and their like when they are old. */
export function retentionSweep({ config: { keptDays } }: App): SlowSweep {
  const days: Record<KeptTable, number> = {
    deliveries: keptDays.ledger,
    audit_events: keptDays.audit,
    domain_changes: keptDays.audit,
    sessions: keptDays.session,
    one_time_links: keptDays.session,
    // Twice the days in which a sender gets only one vacation reply. No code reads older rows
    vacation_replies: 14,
  };
  const next = nextOf(keptTables);
  return {
    name: 'retention',
    passMs: dayMs,
    next,
    step: async (ctx, position, signal) => {
      const table = keptTables.find((name) => name === position) ?? 'deliveries';
      const rows = await deleteOldRows(ctx, table, { days: days[table], signal });
      if (rows > 0) log.info('sweep deleted old rows', { table, rows });
      const following = next(table);
      return { position: following, pauseMs: following === keptTables[0] ? dayMs : 0 };
    },
  };
}

/** How often the sweep looks for a day that is over, or for a proof that is due again. */
const proofPauseMs = 10 * 60_000;

/** Proves the ledger of each day in the night after it, one slice in each step (D64). */
export function ledgerSweep(): SlowSweep {
  return {
    name: 'ledger',
    passMs: hourMs,
    step: async (ctx, _position, signal) => {
      const startedAt = performance.now();
      const isMore = await proveNextSlice(ctx);
      await restAfter(startedAt, signal);
      return { position: '', pauseMs: isMore ? 0 : proofPauseMs };
    },
  };
}

/** Counts once an hour what each company has stored, for the home page of the provider. */
export function companiesSweep(): SlowSweep {
  return {
    name: 'companies',
    passMs: hourMs,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const last = await countCompanies(ctx, position || '0', signal);
      await restAfter(startedAt, signal);
      return last === null ? { position: '', pauseMs: hourMs } : { position: last, pauseMs: 0 };
    },
  };
}

/** How often the sweep looks for deletions, and for mail to hold, whose job was lost. */
const removalsPauseMs = 30_000;

/**
 * Holds the mail of barred people whose job was lost, and continues deletions whose job was lost,
 * of folders, labels, people and companies. The mail comes first: it may leave at any moment, and
 * deletions may take long. The position is the moment up to which it has looked for the mail.
 */
export function removalsSweep(): SlowSweep {
  return {
    name: 'removals',
    passMs: removalsPauseMs,
    step: async (ctx, position, signal) => {
      const { upTo } = await resumeHolds(ctx, position, signal);
      const removals = await resumeRemovals(ctx, signal);
      const erasures = await resumeErasures(ctx, signal);
      if (removals + erasures > 0) log.info('sweep went on with deletions', { removals, erasures });
      return { position: upTo, pauseMs: removalsPauseMs };
    },
  };
}

/**
 * A sweep that runs once, to fill in what earlier versions did not record: to whom people had sent
 * messages (D75), or the domains of these addresses (D42).
 */
export function onceSweep(name: SweepName, note: (ctx: Ctx, position: string) => Promise<string | null>): SlowSweep {
  return {
    name,
    passMs: dayMs,
    isOnce: true,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const next = await note(ctx, position);
      await restAfter(startedAt, signal);
      return next === null ? { position: '', pauseMs: dayMs } : { position: next, pauseMs: 0 };
    },
  };
}
