import { once } from 'node:events';
import { Queue, UnrecoverableError } from 'bullmq';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import type { App } from '../context/app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { allJobs } from './all-jobs.ts';
import { copyMailbox } from './copy-mailbox.ts';
import { makeArchive } from './make-archive.ts';
import { deliverMessage } from './deliver-message.ts';
import { eraseCompany } from './erase-company.ts';
import { eraseUser } from './erase-user.ts';
import { enqueue } from './enqueue.ts';
import { generateDkim } from './generate-dkim.ts';
import { holdSentMail } from './hold-sent-mail.ts';
import { type Processor, processor, startJobWorkers, type Workers } from './processor.ts';
import { emptyDeletedFolder } from './empty-deleted-folder.ts';
import { Queues } from './queues.ts';
import { removeBlob } from './remove-blob.ts';
import { removeLabel } from './remove-label.ts';
import { removeMessage } from './remove-message.ts';
import { replyOnVacation } from './reply-on-vacation.ts';

let workers: Workers | undefined;

afterEach(async () => {
  await workers?.close();
  workers = undefined;
});

/** Ids of this file's own, since other files may use the same Redis. */
const base = Date.now() * 1000;
let last = 0;
const freshId = (): string => String(base + ++last);

/** A processor for every job, with the ones of a test in place. */
function withOthers(...own: Processor[]): Processor[] {
  const idle = [
    deliverMessage,
    generateDkim,
    removeMessage,
    removeBlob,
    removeLabel,
    emptyDeletedFolder,
    replyOnVacation,
    eraseUser,
    eraseCompany,
    copyMailbox,
    makeArchive,
    holdSentMail,
  ].map((job) => processor<object>(job as Parameters<typeof processor<object>>[0], async () => undefined));
  const names = own.map((one) => one.contract.name);
  return [...own, ...idle.filter((one) => !names.includes(one.contract.name))];
}

/** Starts workers that collect the messages to remove; `seen` resolves when the wanted one came. */
function collect(app: App, wanted: string): { seen: Promise<void>; messages: string[] } {
  const done = Promise.withResolvers<void>();
  const messages: string[] = [];
  workers = startJobWorkers(
    app,
    withOthers(
      processor(removeMessage, async (_ctx, { messageId }) => {
        messages.push(messageId);
        if (messageId === wanted) done.resolve();
      }),
    ),
  );
  return { seen: done.promise, messages };
}

async function rowOf(messageId: string): Promise<OutboxRow | null> {
  return await OutboxRow.findOne({ where: { dedupeId: `remove-${messageId}` } });
}

describe('the outbox', () => {
  it('runs a job after its transaction commits, and marks its row', async () => {
    const app = await testApp();
    const messageId = freshId();
    const { seen } = collect(app, messageId);
    await inTransaction(systemContext(app), (ctx) => enqueue(ctx, removeMessage, { messageId }));
    await seen;
    await app.relay.idle();
    expect((await rowOf(messageId))?.relayedAt).toBeInstanceOf(Date);
  });

  it('runs a job again that is asked for while it runs', async () => {
    const app = await testApp();
    const messageId = freshId();
    const ask = () => inTransaction(systemContext(app), (ctx) => enqueue(ctx, removeMessage, { messageId }));
    let runs = 0;
    const again = Promise.withResolvers<void>();
    const remove = processor(removeMessage, async (_ctx, payload) => {
      if (payload.messageId !== messageId) return;
      runs += 1;
      if (runs === 2) return again.resolve();
      await ask();
      await app.relay.idle();
    });
    workers = startJobWorkers(app, withOthers(remove));
    await ask();
    await again.promise;
  });

  it('runs the removal of a label once no other job of its queue waits', async () => {
    const app = await testApp();
    const ctx = systemContext(app);
    const [labelId, messageId] = [freshId(), freshId()];
    await inTransaction(ctx, (tx) => enqueue(tx, removeLabel, { labelId }));
    await inTransaction(ctx, (tx) => enqueue(tx, replyOnVacation, { entryId: messageId }));
    await app.relay.idle();
    const queues = new Queues(app.redis);
    const { counts, waitingSince } = await queues.look('mail');
    expect(counts.waiting).toBeGreaterThan(1);
    expect(waitingSince?.getTime()).toBeLessThanOrEqual(Date.now());
    const begun: string[] = [];
    const done = Promise.withResolvers<void>();
    const note = (id: string): void => {
      if (id === labelId || id === messageId) begun.push(id);
      if (begun.length === 2) done.resolve();
    };
    workers = startJobWorkers(
      app,
      withOthers(
        processor(removeLabel, async (_ctx, payload) => note(payload.labelId)),
        processor(replyOnVacation, async (_ctx, payload) => note(payload.entryId)),
      ),
    );
    await done.promise;
    expect(begun).toEqual([messageId, labelId]);
    await queues.close();
  });

  it('keeps no job of a transaction that fails', async () => {
    const app = await testApp();
    const messageId = freshId();
    const failing = inTransaction(systemContext(app), async (ctx) => {
      await enqueue(ctx, removeMessage, { messageId });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rowOf(messageId)).toBeNull();
  });

  it('refuses a payload that breaks the contract', async () => {
    const app = await testApp();
    const call = inTransaction(systemContext(app), (ctx) => enqueue(ctx, removeMessage, { messageId: 'x' }));
    await expect(call).rejects.toThrow('messageId');
  });

  it('finds rows that were never announced, once though two sweep', async () => {
    const app = await testApp();
    const messageId = freshId();
    const now = new Date();
    const row = {
      jobName: removeMessage.name,
      payload: { messageId },
      availableAt: now,
      relayedAt: null,
      createdAt: now,
    };
    await OutboxRow.create({ ...row, dedupeId: `remove-${messageId}` });
    const { seen, messages } = collect(app, messageId);
    await Promise.all([app.relay.announceDue({ olderThanMs: 0 }), app.relay.announceDue({ olderThanMs: 0 })]);
    await seen;
    expect(messages.filter((one) => one === messageId)).toHaveLength(1);
    expect((await rowOf(messageId))?.relayedAt).toBeInstanceOf(Date);
  });

  it('announces at once what was enqueued while the clock was ahead', async () => {
    const app = await testApp();
    const messageId = freshId();
    const ahead = new Date(Date.now() + 7_200_000);
    const row = { jobName: removeMessage.name, payload: { messageId }, availableAt: ahead, createdAt: ahead };
    await OutboxRow.create({ ...row, dedupeId: `remove-${messageId}`, relayedAt: null });
    const { seen } = collect(app, messageId);
    expect(await app.relay.announceDue({ olderThanMs: 60_000 })).toBeGreaterThan(0);
    await seen;
  });

  it('leaves fresh rows to their own process, and drops announced ones of an earlier day', async () => {
    const app = await testApp();
    const [fresh, old] = [freshId(), freshId()];
    const now = new Date();
    const before = new Date(Date.now() - 3 * 86_400_000);
    const common = { jobName: removeMessage.name, payload: {}, availableAt: now };
    await OutboxRow.create({ ...common, dedupeId: `remove-${fresh}`, relayedAt: null, createdAt: now });
    await OutboxRow.create({ ...common, dedupeId: `remove-${old}`, relayedAt: before, createdAt: before });
    await app.relay.announceDue({ olderThanMs: 60_000 });
    expect((await rowOf(fresh))?.relayedAt).toBeNull();
    expect(await rowOf(old)).toBeNull();
  });

  it('leaves rows of a job that it does not know to the version that does', async () => {
    const app = await testApp();
    const now = new Date();
    const row = { jobName: 'later.invention', payload: {}, availableAt: now, relayedAt: null, createdAt: now };
    const { id } = await OutboxRow.create({ ...row, dedupeId: `later-${freshId()}` });
    await app.relay.announceDue({ olderThanMs: 0 });
    expect((await OutboxRow.findByPk(id))?.relayedAt).toBeNull();
  });

  it('gives new rows an id that is a string', async () => {
    await testApp();
    const now = new Date();
    const row = {
      jobName: removeMessage.name,
      payload: {},
      dedupeId: 'x',
      availableAt: now,
      relayedAt: now,
      createdAt: now,
    };
    const created = await OutboxRow.create(row);
    const [first] = await OutboxRow.bulkCreate([row, row]);
    expect(typeof created.id).toBe('string');
    expect(typeof first?.id).toBe('string');
    expect(created.changed()).toBe(false);
  });
});

describe('startJobWorkers', () => {
  it('refuses a job without a processor, and one with two', async () => {
    const app = await testApp();
    const idle = withOthers();
    expect(() => startJobWorkers(app, idle.slice(1))).toThrow('outbound.deliver has 0 processors');
    expect(() => startJobWorkers(app, [...idle, ...idle.slice(0, 1)])).toThrow('outbound.deliver has 2 processors');
    expect(allJobs).toHaveLength(idle.length);
  });

  it('leaves a job that only a newer version knows to a process of that version', async () => {
    const app = await testApp();
    const newer = { ...removeMessage, name: `mail.newer-${freshId()}` };
    const queue = new Queue(newer.queue, { connection: app.redis });
    const done = Promise.withResolvers<void>();
    const own = processor(newer, async () => done.resolve());
    workers = startJobWorkers(app, withOthers());
    const job = await queue.add(
      newer.name,
      { payload: { messageId: freshId() }, causeId: null },
      // As many as it may take until the older process has ended
      { attempts: 1000, backoff: { type: 'fixed', delay: 500 } },
    );
    await until('the older process has tried', async () => {
      const { attemptsMade = 0 } = (await queue.getJob(job.id ?? '')) ?? {};
      return attemptsMade > 0;
    });
    await workers.close();
    workers = startJobWorkers(app, [...withOthers(), own], [...allJobs, newer]);
    await done.promise;
  });

  it('leaves a job that stops as its process ends to another process', async () => {
    const app = await testApp();
    const messageId = freshId();
    const begun = Promise.withResolvers<void>();
    const stopping = processor(removeMessage, async (_ctx, payload, signal) => {
      if (payload.messageId !== messageId) return;
      begun.resolve();
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    workers = startJobWorkers(app, withOthers(stopping));
    await inTransaction(systemContext(app), (ctx) => enqueue(ctx, removeMessage, { messageId }));
    await begun.promise;
    await workers.close();
    const { seen, messages } = collect(app, messageId);
    await seen;
    expect(messages.filter((id) => id === messageId)).toEqual([messageId]);
  });

  it('gives up a job at once whose payload no longer fits', async () => {
    const app = await testApp();
    const contract = { ...removeMessage, payload: z.object({ messageId: z.string() }) };
    const one = processor(contract, async () => undefined);
    const job = { id: '1', data: { payload: { messageId: 7 }, causeId: null } } as unknown as Parameters<
      typeof one.run
    >[1];
    await expect(one.run(app, job, new AbortController().signal)).rejects.toBeInstanceOf(UnrecoverableError);
  });
});
