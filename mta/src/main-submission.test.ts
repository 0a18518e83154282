import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../tests/support/smtp-peer.ts';
import { startDoor } from '../test-support/start-door.ts';

describe('the end of the submission process', () => {
  it('disconnects idle peers at once and takes the message that is under way', { timeout: 180_000 }, async () => {
    const door = await startDoor('main-submission.ts');
    const { user, password } = await buildMailbox(door.app);
    const idle = await SmtpPeer.open(door.port);
    const busy = await SmtpPeer.open(door.securePort, { tls: true });
    await busy.signIn(user.email, password);
    for (const line of [`MAIL FROM:<${user.email}>`, 'RCPT TO:<r@remote.test>', 'DATA']) await busy.command(line);
    const gone = once(door.process, 'exit');
    door.process.kill('SIGTERM');
    expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
    const message = plainMessage({ from: user.email, to: 'r@remote.test', subject: 'last one' });
    expect(await busy.send(`${message}\r\n.\r\n`)).toMatch(/^250 2\.0\.0 Queued/);
    busy.close();
    expect((await gone)[0]).toBe(0);
  });
});
