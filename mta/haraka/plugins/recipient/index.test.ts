import type { Resolution } from '@selvage/core/directory/resolve-recipient';
import { Delivery } from '@selvage/core/models/delivery';
import { newMailId } from '@selvage/core/mail/mail-id';
import { beforeAll, beforeEach, expect, describe, it, onTestFinished, vi } from 'vitest';
import { testApp } from '../../../../tests/support/test-app.ts';
import type { DSN, HarakaConnection, HarakaTransaction } from '../../../src/inbound/haraka.ts';
import { refusals } from '../../../src/inbound/refusals.ts';
import { setRunningApp } from '../../../src/inbound/running-app.ts';
import { openEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import { noteUnknownRecipient } from '../../../src/inbound/unknown-recipients.ts';
import { hook_rcpt } from './index.ts';

const resolve = vi.hoisted(() => vi.fn<() => Promise<Resolution>>());
vi.mock('@selvage/core/directory/resolve-recipient', () => ({ locateAtDoor: resolve, readGroup: resolve }));

const unknown: Resolution = {
  kind: 'reject',
  code: 550,
  enhancedCode: '5.1.1',
  reason: 'unknown_recipient',
  text: 'No such mailbox here',
  companyId: null,
};
let app: Awaited<ReturnType<typeof testApp>>;
let connection: HarakaConnection;
let mailId: string;

beforeAll(async () => {
  app = await testApp();
  setRunningApp(app);
});

beforeEach(() => {
  mailId = newMailId();
  const transaction = {} as HarakaTransaction;
  openEnvelope(transaction, mailId, 'ann@remote.test');
  connection = {
    uuid: mailId,
    remote: { ip: '198.51.100.7' },
    hello: { host: 'peer.remote.test', verb: 'EHLO' },
    tls: { enabled: false },
    transaction,
  } as HarakaConnection;
});

/** Asks for a recipient; resolves with the reply. */
function ask(address: string): Promise<string> {
  return new Promise((done) => {
    const next = (_verdict?: number, answer?: string | DSN): void => {
      done(typeof answer === 'object' ? `${answer.code} ${answer.reply}` : (answer ?? ''));
    };
    hook_rcpt(next, connection, [{ address, user: null }, {}]);
  });
}

/** The replies that the ledger has of the transaction. */
async function noted(): Promise<(string | null)[]> {
  await refusals.flush();
  const rows = await Delivery.findAll({ where: { mailId }, order: [['id', 'ASC']] });
  return rows.map(({ reason, lastReply }) => `${reason}: ${lastReply}`);
}

describe('the ledger row of a refused recipient', () => {
  it('has the reply that ends a session with too many unknown recipients', async () => {
    resolve.mockResolvedValue(unknown);
    for (let count = 1; count < 50; count += 1) await noteUnknownRecipient(app, connection);
    const reply = await ask('nobody@here.test');
    expect(reply).toMatch(/^421 4\.7\.1 /);
    expect(await noted()).toEqual([`rate_limited: ${reply}`]);
  });

  it('is the only one after a timeout, though the look-up ends later with another answer', async () => {
    const lookUp = Promise.withResolvers<Resolution>();
    resolve.mockReturnValue(lookUp.promise);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = ask('late@here.test');
    vi.advanceTimersByTime(20_000);
    vi.useRealTimers();
    const reply = await asked;
    expect(reply).toMatch(/^451 4\.3\.0 /);
    lookUp.resolve(unknown);
    await new Promise(setImmediate);
    expect(await noted()).toEqual([`internal_error: ${reply}`]);
  });
});
