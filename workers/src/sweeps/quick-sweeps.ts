import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { keepArchives } from '@selvage/core/company-archive/keep-archives';
import { proveWaitingDomains } from '@selvage/core/directory/domain-proof';
import { activateSeenKeys } from '@selvage/core/domain-check/activate-seen-keys';
import { guardDueDomains } from '@selvage/core/domain-guard/guard-due-domains';
import { retireOldKeys } from '@selvage/core/domain-guard/retire-keys';
import { noteProofs } from '@selvage/core/ledger/proof-metrics';
import { log } from '@selvage/core/log';
import { writeDraftMessages } from '@selvage/core/mailstore/draft-messages';
import { wakeSnoozed } from '@selvage/core/mailstore/snooze';
import { remindSenders } from '@selvage/core/outbound/answer-reminders';
import { mendChangedAhead, mendTimes } from '@selvage/core/outbound/mend-times';
import { resumeCopies } from '@selvage/core/mailstore/idle-copies';
import { forgetOldKeys } from '@selvage/core/outbound/send-once';
import { forgetOldTransfers } from '@selvage/core/outbound/transfers';
import { makeMissingKeys } from '../domains/generate-dkim.ts';
import type { Sweep } from './run-sweeps.ts';

/**
 * The sweep leaves a younger outbox row to the process that committed it, which announces it at
 * once.
 */
const outboxGraceMs = 2000;

/**
 * The sweeps that find work in the database that no job announced. They run on timers of the
 * process, so they go on while Redis is away. Any number of processes may sweep at once: a row is
 * taken by a lock or a change that only one of them gets, or the work is harmless twice.
 */
export function quickSweepsOf(app: App): Sweep[] {
  const everyMs = app.config.sweepSeconds * 1000;
  return [
    {
      name: 'outbox',
      everyMs,
      run: async () => {
        const relayed = await app.relay.announceDue({ olderThanMs: Math.min(outboxGraceMs, everyMs) });
        if (relayed > 0) log.info('sweep announced jobs', { jobs: relayed });
      },
    },
    {
      name: 'domain proofs',
      everyMs: Math.max(everyMs, 5000),
      run: async () => {
        const proved = await proveWaitingDomains(systemContext(app));
        if (proved.length > 0) log.info('sweep found proofs of domains', { domains: proved });
      },
    },
    {
      name: 'waiting keys',
      everyMs: Math.max(everyMs, 5000),
      run: async () => {
        const seen = await activateSeenKeys(systemContext(app));
        if (seen.length > 0) log.info('sweep found records of keys, which sign from now on', { records: seen });
      },
    },
    {
      name: 'domain guardian',
      everyMs: Math.max(everyMs, 5000),
      run: async (signal) => {
        const looked = await guardDueDomains(systemContext(app), signal);
        if (looked > 0) log.info('guardian looked at domains', { domains: looked });
      },
    },
    {
      name: 'old keys',
      everyMs: 3_600_000,
      run: async () => {
        const retired = await retireOldKeys(systemContext(app));
        if (retired > 0) log.info('sweep retired signing keys', { keys: retired });
      },
    },
    {
      name: 'copies of mailboxes',
      everyMs: Math.max(everyMs, 5000),
      run: async (signal) => {
        const copies = await resumeCopies(systemContext(app), signal);
        if (copies > 0) log.info('sweep went on with copies of mailboxes', { copies });
      },
    },
    archiveSweep(app, everyMs),
    ...mailSweeps(app, everyMs),
    { name: 'figures of the ledger', everyMs: Math.max(everyMs, 60_000), run: () => noteProofs(systemContext(app)) },
    { name: 'signing keys', everyMs, run: (signal) => makeMissingKeys(systemContext(app), signal) },
    {
      name: 'idempotency keys',
      everyMs: 3_600_000,
      run: async () => {
        const removed = await forgetOldKeys();
        if (removed > 0) log.info('sweep removed old idempotency keys', { keys: removed });
      },
    },
  ];
}

function mailSweeps(app: App, everyMs: number): Sweep[] {
  return [
    {
      name: 'snoozed',
      everyMs,
      run: async (signal) => {
        const woken = await wakeSnoozed(systemContext(app), signal);
        if (woken > 0) log.info('snoozed messages came back', { messages: woken });
      },
    },
    {
      name: 'drafts',
      everyMs: 5000,
      run: async (signal) => void (await writeDraftMessages(systemContext(app), signal)),
    },
    {
      name: 'times of deliveries and transfers',
      everyMs: Math.max(everyMs, 60_000),
      run: async () => {
        await forgetOldTransfers(systemContext(app), new Date());
        const deliveries = await mendTimes(systemContext(app));
        if (deliveries > 0) log.warn('deliveries that a wrong clock had put off are due', { deliveries });
      },
    },
    {
      name: 'deliveries changed in the future',
      // It reads all that is queued, which may be a million rows
      everyMs: Math.max(everyMs, 600_000),
      run: async (signal) => {
        const deliveries = await mendChangedAhead(systemContext(app), signal);
        if (deliveries > 0) log.warn('deliveries that a wrong clock had put off are due', { deliveries });
      },
    },
    {
      name: 'answers waited for',
      everyMs,
      run: async (signal) => {
        const told = await remindSenders(systemContext(app), signal);
        if (told > 0) log.info('senders were reminded of messages without an answer', { messages: told });
      },
    },
  ];
}

function archiveSweep(app: App, everyMs: number): Sweep {
  return {
    name: 'archives of companies',
    everyMs: Math.max(everyMs, 5000),
    run: async (signal) => {
      const { continued, removed } = await keepArchives(systemContext(app), signal);
      if (continued + removed > 0) log.info('sweep continued or removed archives of companies', { continued, removed });
    },
  };
}
