import { randomUUID } from 'node:crypto';
import { sendEmail } from '@selvage/core/contracts/mail';
import { Message } from '@selvage/core/models/message';
import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer } from '../test-server.ts';

/** Long enough for a login, which comes before the flood. */
const usual = { UNDO_MS: '60000', REQUEST_TIMEOUT_SECONDS: '60' };
/** The limit of a call in the flood, in calls that come alone: a slow machine has more time. */
const aloneInLimit = 20;

it('of 100 messages that one person sends at once, those that are begun are finished in time', async () => {
  const server = await startTestServer({ environment: usual });
  const ana = await buildMailbox(server.app);
  const { token } = await server.signIn(ana.user.email, ana.password);
  const send = async (subject: string): Promise<[string, Answer]> => {
    const body = new FormData();
    const fields = { 'recipient_emails_to[]': 'ben@remote.test', subject, body: '<p>x</p>', idempotency_key: subject };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return [subject, await server.call('POST', sendEmail.path, { token, body })];
  };
  const startedAt = performance.now();
  for (let count = 0; count < 5; count += 1) expect((await send(randomUUID()))[1].status).toBe(200);
  const seconds = (performance.now() - startedAt) / 5000;
  server.app.config.requestTimeoutSeconds = Math.max(1, aloneInLimit * seconds);
  const answers = Array.from({ length: 100 }, () => send(randomUUID()));
  const outcomes = { sent: 0, too_busy: 0, timeout: 0 };
  for (const [subject, { status, body }] of await Promise.all(answers)) {
    const outcome = status === 200 ? 'sent' : (body['code'] as 'too_busy' | 'timeout');
    expect(Object.keys(outcomes)).toContain(outcome);
    outcomes[outcome] += 1;
    if (outcome !== 'timeout') expect(await Message.count({ where: { subject } })).toBe(outcome === 'sent' ? 1 : 0);
  }
  // A slow machine may be late with all that have a place, and once more with those that come after
  expect(outcomes.timeout).toBeLessThanOrEqual(server.app.config.databasePool * 4);
});
