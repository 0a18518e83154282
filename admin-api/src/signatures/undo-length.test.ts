import { getCurrentUser } from '@selvage/core/contracts/auth';
import { sendEmail } from '@selvage/core/contracts/mail';
import { setUndoLength } from '@selvage/core/contracts/mail-settings';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function personCalls() {
  const { user, password } = await buildMailbox(server.app);
  const { token } = await server.signIn(user.email, password);
  return (method: string, path: string, body?: unknown): Promise<Answer> => server.call(method, path, { token, body });
}

function message(): FormData {
  const form = new FormData();
  form.append('recipient_emails_to[]', 'ben@remote.test');
  form.append('subject', 'x');
  return form;
}

describe('the time to undo', () => {
  it('is 3.5 seconds until the person chooses another one, and then it holds what they send', async () => {
    const call = await personCalls();
    expect((await call('GET', getCurrentUser.path)).body.data).toMatchObject({ undo_ms: 3500 });
    expect((await call('PUT', setUndoLength.path, { undo_ms: 20_000 })).body.data).toEqual({ undo_ms: 20_000 });
    expect((await call('GET', getCurrentUser.path)).body.data).toMatchObject({ undo_ms: 20_000 });
    const before = Date.now();
    const sent = (await call('POST', sendEmail.path, message())).body.data as { undo_ms: number; undo_until: string };
    expect(sent.undo_ms).toBe(20_000);
    expect(Date.parse(sent.undo_until)).toBeGreaterThanOrEqual(before + 20_000);
  });

  it.each([0, 3499, 31_000, 86_400_000, '5000', null, undefined])('is not %s', async (undo_ms) => {
    const call = await personCalls();
    expect((await call('PUT', setUndoLength.path, { undo_ms })).status).toBe(422);
    expect((await call('GET', getCurrentUser.path)).body.data).toMatchObject({ undo_ms: 3500 });
  });
});
