import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { composeMessage } from '../mail/compose-message.ts';
import { unsentDays } from '../contracts/mail.ts';
import { IdempotencyKey } from '../models/idempotency-key.ts';
import { Message } from '../models/message.ts';
import { systemContext, type TxCtx } from '../context/context.ts';
import { findSent, forgetOldKeys, keptKeysMs, type Sent, sendOnce } from './send-once.ts';
import { submitMessage } from './submit-message.ts';

type Settle = (ctx: TxCtx, sent: Sent) => Promise<void>;

async function scene() {
  const ctx = systemContext(await testApp());
  const { user, company } = await buildMailbox(ctx.app);
  const subject = randomUUID();
  const keyed = { userId: String(user.id), companyId: String(company.id), key: randomUUID(), fingerprint: 'a' };
  const now = new Date();
  const told = { undoUntil: now, holdMs: 0, isScheduled: false };
  const submit = async (settle: Settle): Promise<Sent> => {
    const raw = await composeMessage({
      from: { name: 'Ana', address: user.email },
      to: [{ name: '', address: 'bob@remote.test' }],
      cc: [],
      subject,
      html: '<p>x</p>',
      attachments: [],
      messageId: `<${randomUUID()}@host.test>`,
      date: now,
    });
    const alongside = (tx: TxCtx, { entryId }: { entryId: string }) => settle(tx, { ...told, entryId });
    const { entryId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], alongside });
    return { ...told, entryId };
  };
  return { ctx, keyed, submit, committed: () => Message.count({ where: { subject } }) };
}

async function endClaim(key: string): Promise<void> {
  await IdempotencyKey.update({ claimedUntil: new Date(Date.now() - 1) }, { where: { idempotencyKey: key } });
}

describe('sendOnce', () => {
  it('sends nothing a second time when the process died between its commit and its answer', async () => {
    const { ctx, keyed, submit, committed } = await scene();
    let first: Sent | undefined;
    const dying = sendOnce(ctx, keyed, async (settle) => {
      first = await submit(settle);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await sendOnce(ctx, keyed, submit)).toEqual(first);
    expect(await findSent(ctx, keyed.userId, keyed.key)).toEqual(first);
    expect(await committed()).toBe(1);
  });

  it('commits nothing under a claim that ran out, so that "not sent" stays true', async () => {
    const { ctx, keyed, submit, committed } = await scene();
    const hasty = { ...ctx, app: { ...ctx.app, config: { ...ctx.app.config, requestTimeoutSeconds: 0.05 } } };
    const slow = sendOnce(hasty, keyed, async (settle) => {
      const isNotSent = () => findSent(ctx, keyed.userId, keyed.key).catch(({ code }) => code === 'not_sent');
      await until('the claim runs out', isNotSent);
      return await submit(settle);
    });
    await expect(slow).rejects.toMatchObject({ status: 503 });
    expect(await committed()).toBe(0);
    expect(await sendOnce(ctx, keyed, submit)).toMatchObject({ entryId: expect.any(String) });
    expect(await committed()).toBe(1);
  });

  it('lets one of many take over what a dead process left, and only that one commits', async () => {
    const { ctx, keyed, submit, committed } = await scene();
    let later: Promise<Sent[]> | undefined;
    const slow = sendOnce(ctx, keyed, async (settle) => {
      await endClaim(keyed.key);
      const begun = Promise.withResolvers<void>();
      const first = Promise.withResolvers<void>();
      const takeOver = async (settleLater: Settle) => {
        begun.resolve();
        await first.promise;
        return await submit(settleLater);
      };
      later = Promise.all(Array.from({ length: 8 }, () => sendOnce(ctx, keyed, takeOver)));
      await begun.promise;
      return await submit(settle).finally(first.resolve);
    });
    await expect(slow).rejects.toMatchObject({ status: 503 });
    const answers = await later;
    expect(new Set(answers?.map(({ entryId }) => entryId)).size).toBe(1);
    expect(await committed()).toBe(1);
  });

  it('does not wait for a claim of a clock that was ahead, whose process died', async () => {
    const { ctx, keyed, submit, committed } = await scene();
    const claimedUntil = new Date(Date.now() + 3_600_000);
    const { key: idempotencyKey, ...rest } = keyed;
    await IdempotencyKey.create({ ...rest, idempotencyKey, claimedUntil });
    await expect(findSent(ctx, keyed.userId, keyed.key)).rejects.toMatchObject({ status: 404, code: 'not_sent' });
    await sendOnce(ctx, keyed, submit);
    expect(await committed()).toBe(1);
  });

  it('leaves a claim alone that another call took over', async () => {
    const { ctx, keyed, submit, committed } = await scene();
    const slow = sendOnce(ctx, keyed, async () => {
      await endClaim(keyed.key);
      await sendOnce(ctx, keyed, submit);
      return await submit(async () => {
        throw new Error('too late');
      });
    });
    await expect(slow).rejects.toThrow('too late');
    expect(await findSent(ctx, keyed.userId, keyed.key)).toMatchObject({ entryId: expect.any(String) });
    expect(await committed()).toBe(1);
  });

  it('knows that a message was sent for as long as a browser may keep it as unsent', async () => {
    const { ctx, keyed, submit } = await scene();
    const sent = await sendOnce(ctx, keyed, submit);
    await forgetOldKeys(new Date(Date.now() + unsentDays * 86_400_000));
    expect(await findSent(ctx, keyed.userId, keyed.key)).toEqual(sent);
  });

  it('keeps keys for 35 days', async () => {
    const { ctx, keyed, submit } = await scene();
    await sendOnce(ctx, keyed, submit);
    const exists = () => IdempotencyKey.count({ where: { idempotencyKey: keyed.key } });
    await forgetOldKeys(new Date(Date.now() + keptKeysMs - 60_000));
    expect(await exists()).toBe(1);
    await forgetOldKeys(new Date(Date.now() + keptKeysMs + 60_000));
    expect(await exists()).toBe(0);
  });
});
