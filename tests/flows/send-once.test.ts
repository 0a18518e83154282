import { randomUUID } from 'node:crypto';
import { QueryTypes } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { prepareSigning } from '../support/signing.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  // A claim of a dead process runs out after twice this time
  host = await startWebHost({ UNDO_MS: '0', REQUEST_TIMEOUT_SECONDS: '5' });
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

/** Sends the message of a key, which is also its subject. Undefined when no answer came. */
async function send(key: string): Promise<{ status: number; id: string } | undefined> {
  const form = new FormData();
  form.append('recipient_emails_to[]', 'ben@remote.test');
  form.append('subject', key);
  form.append('body', '<p>x</p>');
  form.append('idempotency_key', key);
  const answer = await client.call<{ _id: string }>('POST', '/mail/send', form).catch(() => undefined);
  return answer && { status: answer.status, id: answer.body.data?._id ?? '' };
}

async function sentSubjects(): Promise<string[]> {
  const rows = await host.app.db.query<{ subject: string }>(
    'SELECT m.subject FROM mailbox_entries e JOIN messages m ON m.id = e.message_id WHERE e.user_id = :userId AND e.send_status',
    { replacements: { userId: String(ana.user.id) }, type: QueryTypes.SELECT },
  );
  return rows.map(({ subject }) => subject);
}

describe('messages with keys', () => {
  it('are sent once each, although the API is killed in the middle and every call is repeated', async () => {
    const keys = Array.from({ length: 100 }, () => randomUUID());
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    const waiting = [...keys.entries()];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) answers[next[0]] = await send(next[1]);
    };
    const first = Promise.all(Array.from({ length: 10 }, lane));
    await until('some are committed', async () => (await sentSubjects()).length > 5, 60_000);
    await host.end('api', 'SIGKILL');
    await first;
    expect(answers.filter((answer) => answer === undefined)).not.toEqual([]);
    await host.start('api');

    for (const [index, key] of keys.entries()) {
      const again = await until(
        'it is answered',
        async () => {
          const answer = await send(key);
          return answer?.status === 200 && answer;
        },
        60_000,
      );
      const before = answers[index];
      if (before?.status === 200) expect(again).toEqual(before);
      const asked = await client.data<{ _id: string }>('GET', `/mail/send/${key}`);
      expect(asked._id).toBe(again.id);
    }
    expect((await sentSubjects()).toSorted()).toEqual(keys.toSorted());
    const received = () =>
      host.remote.received.flatMap(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? []);
    await until('all have arrived', () => received().length >= keys.length, 60_000);
    expect(received().toSorted()).toEqual(keys.toSorted());
  });
});
