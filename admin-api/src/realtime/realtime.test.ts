import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Engine, startOwnEngines } from '../../../tests/support/own-engines.ts';
import { queriesOf } from '../../../tests/support/queries-of.ts';
import { until } from '../../../tests/support/until.ts';
import type { NewEmailEvent } from '@selvage/core/contracts/realtime';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { log } from '@selvage/core/log';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { readArrived } from '@selvage/core/mailstore/read-arrived';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Delivery } from '@selvage/core/models/delivery';
import { Session } from '@selvage/core/models/session';
import { UserPermission } from '@selvage/core/models/user-permission';
import { settleDeliveries } from '@selvage/core/outbound/settle-deliveries';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let webRoot: string;

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'selvage-web-'));
  await writeFile(join(webRoot, 'index.html'), '<script type="module" src="/assets/index-abc.js"></script>');
  server = await startTestServer({ graceMs: 0, webRoot });
  person = await buildMailbox(server.app);
});

/**
 * A connection that speaks the frames of socket.io itself: `40` opens, `44` refuses, `42` sends an
 * event, `43` answers.
 */
class Connection {
  readonly frames: string[] = [];
  isClosed = false;
  readonly #socket: WebSocket;

  constructor(url: string, token: string, times = 1) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    this.#socket.addEventListener('open', () => {
      for (let time = 0; time < times; time += 1) this.#socket.send(`40${JSON.stringify({ token })}`);
    });
    this.#socket.addEventListener('message', (event) => {
      if (event.data === '2') this.#socket.send('3');
      else this.frames.push(String(event.data));
    });
    this.#socket.addEventListener('close', () => {
      this.isClosed = true;
    });
  }

  send(frame: string): void {
    this.#socket.send(frame);
  }

  awaitFrame(start: string): Promise<string> {
    return until(`a frame ${start}`, () => this.frames.find((frame) => frame.startsWith(start)));
  }

  close(): void {
    this.#socket.close();
  }
}

/** A connection of a person that has joined their room. */
async function joined({ user, password }: Mailbox, at = server): Promise<Connection> {
  const { token } = await at.signIn(user.email, password);
  const connection = new Connection(at.url, token);
  await connection.awaitFrame('40');
  connection.send(`421${JSON.stringify(['join_user', user.email])}`);
  await connection.awaitFrame('431');
  return connection;
}

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
};

/** What the server answers to a page of an origin that asks for a websocket. */
async function statusOfUpgrade(origin: string): Promise<number | undefined> {
  const asked = request(`${server.url}/socket.io/?EIO=4&transport=websocket`, {
    headers: { origin, ...upgrade },
  });
  asked.end();
  const [answer] = (await Promise.race([once(asked, 'upgrade'), once(asked, 'response')])) as [IncomingMessage];
  asked.destroy();
  return answer.statusCode;
}

/** Runs work while every login with the session of a token has to wait for a row of it. */
async function whileSessionIsHeld(
  token: string,
  work: (countWaiting: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const { sid } = JSON.parse(atob(token.split('.')[1] ?? '')) as { sid: string };
  const session = await Session.findOne({ where: { sessionKey: sid }, rejectOnEmpty: true });
  // A login writes to a session that was not used for a minute
  await session.update({ lastActive: new Date(Date.now() - 3_600_000) });
  const waiting = `SELECT COUNT(*) AS count FROM information_schema.processlist
    WHERE db = DATABASE() AND info LIKE 'UPDATE _sessions_%'`;
  await inTransaction(systemContext(server.app), async ({ tx }) => {
    await Session.findByPk(session.id, { transaction: tx, lock: true });
    await work(async () => {
      const [row] = await readRows<{ count: string }>(systemContext(server.app), waiting, []);
      return Number(row?.count);
    });
  });
}

afterAll(() => rm(webRoot, { recursive: true, force: true }));

describe('the websocket', () => {
  it('refuses a connection without the token of a live session', async () => {
    const connection = new Connection(server.url, 'nonsense');
    expect(await connection.awaitFrame('44')).toContain('unauthorized');
    connection.close();
  });

  it('refuses a person who has to change their password first', async () => {
    const newcomer = await buildMailbox(server.app, { user: { passwordChangeRequired: true } });
    const { token } = await server.signIn(newcomer.user.email, newcomer.password);
    const connection = new Connection(server.url, token);
    expect(await connection.awaitFrame('44')).toContain('unauthorized');
    connection.close();
  });

  it('lets a person join only their own room, and disconnects them when their session ends', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const connection = new Connection(server.url, token);
    await connection.awaitFrame('40');
    connection.send(`421${JSON.stringify(['join_user', 'somebody@else.test'])}`);
    expect(await connection.awaitFrame('431')).toContain('"success":false');
    connection.send(`422${JSON.stringify(['join_user', person.user.email.toUpperCase()])}`);
    expect(await connection.awaitFrame('432')).toContain('"success":true');
    await server.call('POST', '/user/logout', { token });
    await until('the connection is closed', () => connection.isClosed);
  });

  it('tells the windows of a person, and of no other, which folders have changed', async () => {
    const stranger = await buildMailbox(server.app);
    const [own, other] = await Promise.all([joined(person), joined(stranger)]);
    const ctx = systemContext(server.app);
    const { entryIds } = await receive(ctx, [person]);
    expect(await own.awaitFrame('42["mailbox_changed"')).toBe('42["mailbox_changed",{"folders":["inbox"]}]');
    await changeStatus(ctx, { userId: String(person.user.id), entryIds, flags: { trashStatus: true } });
    await own.awaitFrame('42["mailbox_changed",{"folders":["inbox","trash"]}]');
    await receive(ctx, [stranger]);
    await other.awaitFrame('42["mailbox_changed",{"folders":["inbox"]}]');
    expect(other.frames.filter((frame) => frame.includes('trash'))).toEqual([]);
    for (const connection of [own, other]) connection.close();
  });

  it('tells the windows of a sender, and of no other person, that a message stands otherwise', async () => {
    const [sender, stranger] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const [own, other] = await Promise.all([joined(sender), joined(stranger)]);
    const ctx = systemContext(server.app);
    const { user } = sender;
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext\r\n`);
    const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients: ['a@remote.test'] });
    const { id } = await Delivery.findOne({ where: { mailId: sent.mailId }, rejectOnEmpty: true });
    const delivery = await claimOne(ctx, String(id), new Date(Date.now() + 1000));
    if (delivery === null) throw new Error('the delivery was not claimed');
    const said = { reason: 'remote_accepted', lastReply: '250 ok', remoteHost: 'mx' } as const;
    await inTransaction(ctx, (tx) => settleDeliveries(tx, [{ delivery, state: 'relayed', ...said }]));
    await own.awaitFrame(`42["deliveries_changed",{"entry_ids":["${sent.entryId}"]}]`);
    await receive(ctx, [stranger]);
    await other.awaitFrame('42["mailbox_changed"');
    expect(other.frames.filter((frame) => frame.includes('deliveries_changed'))).toEqual([]);
    for (const connection of [own, other]) connection.close();
  });

  it('announces new mail to the windows of its reader, but none that was moved meanwhile', async () => {
    const reader = await buildMailbox(server.app);
    const connection = await joined(reader);
    const ctx = systemContext(server.app);
    const { entryIds } = await receive(ctx, [reader], { subject: 'A bale of wool' });
    const [, event] = JSON.parse((await connection.awaitFrame('42["new_email"')).slice(2)) as [string, NewEmailEvent];
    expect(event).toMatchObject({ subject: 'A bale of wool', entry_id: entryIds[0] });
    await changeStatus(ctx, { userId: String(reader.user.id), entryIds, flags: { trashStatus: true } });
    expect(await readArrived(ctx, String(reader.user.id), entryIds)).toEqual([]);
    connection.close();
  });

  it('says nothing of new mail to a person that may not see the inbox', async () => {
    const [barred, reader] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const [silent, other] = await Promise.all([joined(barred), joined(reader)]);
    // A row of their own without a flag, which comes after their window was opened
    const owner = { companyId: String(barred.company.id), userId: String(barred.user.id) };
    await UserPermission.create({ ...owner, model: 'inbox' });
    const ctx = systemContext(server.app);
    await receive(ctx, [barred], { subject: 'A private bale' });
    await silent.awaitFrame('42["mailbox_changed"');
    await receive(ctx, [reader], { subject: 'An open bale' });
    await other.awaitFrame('42["new_email"');
    expect(silent.frames.filter((frame) => frame.includes('new_email'))).toEqual([]);
    for (const connection of [silent, other]) connection.close();
  });

  it('says nothing of new mail to a window whose person was asked to change their password', async () => {
    const [asked, reader] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const [silent, other] = await Promise.all([joined(asked), joined(reader)]);
    await asked.user.update({ passwordChangeRequired: true });
    const ctx = systemContext(server.app);
    await receive(ctx, [asked], { subject: 'A private bale' });
    await silent.awaitFrame('42["mailbox_changed"');
    await receive(ctx, [reader], { subject: 'An open bale' });
    await other.awaitFrame('42["new_email"');
    expect(silent.frames.filter((frame) => frame.includes('new_email'))).toEqual([]);
    for (const connection of [silent, other]) connection.close();
  });

  it('begins with the version of the web app that the server has', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const connection = new Connection(server.url, token);
    expect(await connection.awaitFrame('42')).toBe('42["hello",{"web":"index-abc"}]');
    connection.close();
  });

  it('closes a connection when its token expires', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const lasting = new Connection(server.url, token);
    const claims = JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, unknown>;
    // Long enough for a busy machine to open the connection
    const shortLived = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 8 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(server.app.secrets.key('access-token'));
    const connection = new Connection(server.url, shortLived);
    await Promise.all([connection.awaitFrame('40'), lasting.awaitFrame('40')]);
    await until('the connection is closed', () => connection.isClosed);
    expect(lasting.isClosed).toBe(false);
    lasting.close();
  });

  it('asks once who a connection is, however often it says so', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const queries = await queriesOf(server.app, async () => {
      const connection = new Connection(server.url, token, 50);
      await until('the connection is closed', () => connection.isClosed);
    });
    expect(queries.length).toBeLessThan(10);
  });

  it('keeps nothing of a connection that asks twice', async () => {
    const connection = new Connection(server.url, 'nonsense', 2);
    await until('the connection is closed', () => connection.isClosed);
    const kept = Reflect.get(server.io.of('/'), '_preConnectSockets') as Map<string, unknown>;
    await until('the server has forgotten it', () => kept.size === 0, 10_000);
  });

  it('keeps nothing of a connection that closes during its login', async () => {
    const { user, password } = await buildMailbox(server.app);
    const { token } = await server.signIn(user.email, password);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await whileSessionIsHeld(token, async (countWaiting) => {
      const connection = new Connection(server.url, token);
      await until('the login waits', async () => (await countWaiting()) === 1);
      connection.close();
      await until('the connection is closed', () => connection.isClosed);
    });
    // The look-up of this call comes after the one of the connection
    expect((await server.call('GET', '/user/info', { token })).status).toBe(200);
    // A token is valid for 15 minutes
    const untilExpiry = timers.mock.calls.filter(([, delay = 0]) => delay > 600_000 && delay < 1_000_000);
    expect(untilExpiry).toEqual([]);
    timers.mockRestore();
  });

  it('looks up the person of many connections without holding up another person', async () => {
    const [crowd, bystander] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const { token } = await server.signIn(crowd.user.email, crowd.password);
    const { token: other } = await server.signIn(bystander.user.email, bystander.password);
    const connections: Connection[] = [];
    await whileSessionIsHeld(token, async (countWaiting) => {
      // A fifth of twice as many places as there are database connections
      const most = Math.floor((server.app.config.databasePool * 2) / 5);
      connections.push(...Array.from({ length: 30 }, () => new Connection(server.url, token)));
      await until('the logins wait', async () => (await countWaiting()) >= most);
      expect((await server.call('GET', '/user/info', { token: other })).status).toBe(200);
      expect(await countWaiting()).toBe(most);
    });
    await Promise.all(connections.map((connection) => connection.awaitFrame('40')));
    for (const connection of connections) connection.close();
  });

  it('writes one short line to the log about a token that is refused', async () => {
    const lines = vi.spyOn(log, 'info');
    const connection = new Connection(server.url, 'nonsense');
    await connection.awaitFrame('44');
    const refusals = lines.mock.calls.filter(([message]) => message === 'websocket refused');
    lines.mockRestore();
    expect(refusals).toEqual([['websocket refused', { address: '127.0.0.1', code: 'token_invalid' }]]);
    connection.close();
  });

  it('ends a connection that sends far more than a window does', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const flooding = new Connection(server.url, token);
    await flooding.awaitFrame('42');
    for (let round = 0; round < 5000; round += 1) flooding.send(`42${round}["join_user","nobody@host.test"]`);
    await until('the connection is closed', () => flooding.isClosed);
    expect(flooding.frames.filter((frame) => frame.startsWith('43')).length).toBeLessThan(100);
  });

  it('refuses pages of another site', async () => {
    expect(await statusOfUpgrade('https://evil.test')).toBe(400);
    expect(await statusOfUpgrade(server.url)).toBe(101);
  });
});

describe('a Redis that goes away', () => {
  let redis: Engine;
  let redisUrl: string;

  beforeAll(async () => {
    ({ redis, redisUrl } = await startOwnEngines());
  });

  /** A window of a person, and how often it was told to look at its mailbox. */
  async function openWindow(options: { lookMs?: number }) {
    const alone = await startTestServer({ ...options, environment: { REDIS_URL: redisUrl } });
    const { frames } = await joined(await buildMailbox(alone.app), alone);
    return { countTold: () => frames.filter((frame) => frame === '42["mailbox_changed",{"folders":[]}]').length };
  }

  it('has windows look at their mailboxes now and then', async () => {
    const { countTold } = await openWindow({ lookMs: 200 });
    await redis.stop();
    await until('the window was told several times', () => countTold() > 2);
    await redis.start();
  });

  it('has windows look at their mailboxes once it is back', async () => {
    const { countTold } = await openWindow({});
    await redis.stop();
    await redis.start();
    await until('the window was told', () => countTold() > 0);
    expect(countTold()).toBe(1);
  });
});
