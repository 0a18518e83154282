import { describe, expect, it } from 'vitest';
import type { App } from '@selvage/core/context/app';
import { buildMailbox } from '../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../tests/support/smtp-peer.ts';
import { until } from '../../tests/support/until.ts';
import { startDoor } from '../test-support/start-door.ts';

/** Resolves once a statement waits for folders that another transaction holds. */
async function untilHeld({ db }: App): Promise<void> {
  await until('a statement that waits for folders', async () => {
    const [waiting] = await db.query(
      `SELECT ID FROM information_schema.PROCESSLIST
       WHERE DB = DATABASE() AND ID <> CONNECTION_ID() AND INFO LIKE '%folders%' AND TIME_MS > 500`,
    );
    return waiting.length > 0;
  });
}

describe('a full door', { timeout: 180_000 }, () => {
  it.each([
    ['inbound', 'main-inbound.ts', 'port', false],
    ['submission', 'main-submission.ts', 'securePort', true],
  ] as const)('of %s lets a message that has come get its answer', async (_name, program, portName, tls) => {
    const { app, [portName]: port } = await startDoor(program, { environment: { SMTP_CONNECTIONS: '3' } });
    const { user, password } = await buildMailbox(app);
    const own = user.email;
    const open = async () => {
      const peer = await SmtpPeer.open(port, { tls });
      if (tls) await peer.signIn(own, password);
      return peer;
    };
    const begin = async () => {
      const peer = await open();
      for (const line of [`MAIL FROM:<${own}>`, `RCPT TO:<${own}>`]) await peer.command(line);
      expect(await peer.command('DATA')).toMatch(/^354 /);
      return peer;
    };
    // The folder that is held below comes with its first message
    const opening = await open();
    await opening.deliver(own, own, plainMessage({ from: own, to: own, subject: 'first' }));
    opening.close();
    const [first, second, last] = [await begin(), await begin(), await begin()];
    const { answer, newcomer } = await app.db.transaction(async (transaction) => {
      const replacements = { userId: user.id };
      await app.db.query('SELECT id FROM folders WHERE user_id = :userId FOR UPDATE', { transaction, replacements });
      const answer = last.send(`${plainMessage({ from: own, to: own, subject: 'stored' })}\r\n.\r\n`);
      await untilHeld(app);
      return { answer, newcomer: await SmtpPeer.open(port, { tls, from: '127.10.0.1' }) };
    });
    expect(await answer).toMatch(/^250 /);
    expect(await newcomer.command('NOOP')).toMatch(/^250 /);
    expect(await second.reply()).toMatch(/^421 4\.7\.0 /);
    for (const peer of [first, last, newcomer]) peer.close();
  });
});
