import type { App } from '@selvage/core/context/app';
import { log } from '@selvage/core/log';
import { newMailId } from '@selvage/core/mail/mail-id';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { acceptMessage } from './accept-message.ts';

/** Decides about a large message whose peer has disconnected, and collects the errors logged. */
async function accept(app: App) {
  const errors = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const over = new AbortController();
  over.abort();
  const raw = Buffer.from(`From: ann@remote.test\r\nSubject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(2000)}`);
  const reply = await acceptMessage(app, {
    mailId: newMailId(),
    from: 'ann@remote.test',
    recipients: [],
    message: { kind: 'complete', raw },
    hasEndlessLine: false,
    client: { ip: '192.0.2.1', helo: 'mx.remote.test', isExtended: true, tls: null },
    over: over.signal,
    known: { messageIdHeader: null, checks: null },
  });
  return { reply, logged: errors.mock.calls.map(([message]) => message) };
}

describe('a message whose peer disconnects while it is decided about', () => {
  it('is no failure of this host when the work on it is given up', async () => {
    const { reply, logged } = await accept(await testApp());
    expect(reply).toMatchObject({ code: 421, enhancedCode: '4.4.2', reason: 'timeout' });
    expect(logged).toEqual([]);
  });

  it('is logged as a failure of this host when there is one', async () => {
    const host = await testApp();
    const content: App['content'] = Object.assign(Object.create(host.content), {
      authenticate: () => Promise.reject(new Error('the database is away')),
    });
    const { reply, logged } = await accept(Object.assign(Object.create(host) as App, { content }));
    expect(reply).toMatchObject({ code: 451, reason: 'internal_error' });
    expect(logged).toEqual(['message could not be stored']);
  });
});
