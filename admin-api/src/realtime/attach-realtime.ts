import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { holdsPermission } from '@selvage/core/access/effective-permissions';
import { readActor } from '@selvage/core/access/read-actor';
import {
  type DeliveriesChangedEvent,
  type HelloEvent,
  type MailboxChangedEvent,
  type NewEmailEvent,
  realtimeEvents,
} from '@selvage/core/contracts/realtime';
import { type FolderNotice, hearChanges } from '@selvage/core/mailstore/change-feed';
import { readArrived } from '@selvage/core/mailstore/read-arrived';
import { Session } from '@selvage/core/models/session';
import { AppError, badRequest, unavailable } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { type DeliveryNotice, hearDeliveries } from '@selvage/core/outbound/delivery-feed';
import { createRedis } from '@selvage/core/process/create-redis';
import { createAdapter } from '@socket.io/redis-adapter';
import { Server, type Socket } from 'socket.io';
import { findPerson } from '../auth/authenticate-request.ts';
import { hasDuties, requireDutiesDone } from '../auth/first-duties.ts';
import type { SessionEvents } from '../auth/session-events.ts';
import { readToken } from '../auth/tokens.ts';
import { clientAddress } from '../http/client-address.ts';
import { anonymousContext } from '../http/request-context.ts';
import type { WorkQueue } from '../http/work-queue.ts';
import type { WebVersion } from '../static/web-version.ts';
import { GuardedWebSocketServer, guardPackets, longestMessage } from './guard-packets.ts';
import { sessionRoom, userRoom } from './rooms.ts';
import { tellMissed } from './tell-missed.ts';

/** The person and session of a connection, from the token of its handshake. */
interface Identity {
  userId: string;
  email: string;
  sessionKey: string;
}

type MailSocket = Socket<
  Record<string, (...items: unknown[]) => void>,
  { [realtimeEvents.hello]: (event: HelloEvent) => void },
  Record<string, never>,
  Identity
>;

/** Parts that the process shares, besides the App. */
interface RealtimeParts {
  sessionEvents: SessionEvents;
  work: WorkQueue;
}

/** What tests may set. */
interface RealtimeOptions {
  graceMs?: number;
  /** How often windows look at their mailboxes while Redis is away. */
  lookMs?: number;
  webVersion?: WebVersion;
}

/**
 * How long after the expiry of its token a connection is closed. The client then reconnects with a
 * new token.
 */
const usualGraceMs = 60_000;
const sessionCheckMs = 30_000;

const path = '/socket.io';

/**
 * Whether a request may change the protocol of its connection, for `shouldUpgradeCallback` of the
 * server: only for the websocket. One that offers another protocol, as clients do for HTTP/2
 * (`Upgrade: h2c`), is answered as if it offered none (RFC 9110 7.8).
 */
export function mayUpgrade({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(`${path}/`);
}

/** Opens the websocket on an HTTP server. Without Redis, windows hear only when to look again. */
export function attachRealtime(
  server: HttpServer,
  app: App,
  { sessionEvents, work }: RealtimeParts,
  { graceMs = usualGraceMs, lookMs, webVersion = () => null }: RealtimeOptions = {},
): Server {
  const io = new Server(server, {
    path,
    serveClient: false,
    // Long polling would need each request to reach the same process
    transports: ['websocket'],
    maxHttpBufferSize: longestMessage,
    wsEngine: GuardedWebSocketServer,
    allowRequest: (request, decide) => decide(null, isOwnOrigin(app, request)),
  });
  guardPackets(io);
  const connections = [
    createRedis(app.config, { role: 'worker' }),
    createRedis(app.config, { role: 'worker' }),
    createRedis(app.config, { role: 'worker' }),
  ] as const;
  const [publisher, subscriber, feed] = connections;
  io.adapter(createAdapter(publisher, subscriber));
  hearChanges(feed, (notices) => tellWindows(app, io, notices)).catch((error: unknown) => {
    log.warn('changed folders are not announced', { error });
  });
  hearDeliveries(feed, (notices) => tellDeliveries(io, notices)).catch((error: unknown) => {
    log.warn('changed deliveries are not announced', { error });
  });
  const stopTelling = tellMissed(io, feed, lookMs);
  io.use((socket, next) => {
    void admit({ app, work, graceMs }, socket as MailSocket, next);
  });
  io.on('connection', (socket) => {
    welcome(socket as MailSocket);
    (socket as MailSocket).emit(realtimeEvents.hello, { web: webVersion() });
  });
  sessionEvents.on('ended', (keys) => io.in(keys.map(sessionRoom)).disconnectSockets(true));
  const timer = setInterval(() => {
    dropEnded(io).catch((error: unknown) => log.warn('sessions of connections could not be checked', { error }));
  }, sessionCheckMs);
  timer.unref();
  io.engine.on('close', () => clearInterval(timer));
  server.on('close', () => {
    clearInterval(timer);
    stopTelling();
    for (const connection of connections) connection.disconnect();
  });
  return io;
}

/**
 * Tells the windows of people that their mailboxes have changed. Every API process gets each
 * change, and tells only its own connections.
 */
function tellWindows(app: App, io: Server, notices: readonly FolderNotice[]): void {
  for (const [userId, own] of Map.groupBy(notices, (notice) => notice.userId)) {
    // Most people have no open window, so nothing is read for them
    if (!io.of('/').adapter.rooms.has(userRoom(userId))) continue;
    const event: MailboxChangedEvent = { folders: own.map(({ role }) => role) };
    io.local.to(userRoom(userId)).emit(realtimeEvents.mailboxChanged, event);
    const arrived = own.flatMap(({ arrived = [] }) => arrived);
    tellArrived(app, io, { userId, arrived }).catch((error: unknown) => {
      log.warn('new mail could not be announced', { userId, error });
    });
  }
}

/** Tells the windows of senders that the delivery of their messages has changed. */
function tellDeliveries(io: Server, notices: readonly DeliveryNotice[]): void {
  for (const { userId, entryIds } of notices) {
    const event: DeliveriesChangedEvent = { entry_ids: entryIds };
    io.local.to(userRoom(userId)).emit(realtimeEvents.deliveriesChanged, event);
  }
}

/** Tells the windows of a person about new mail, unless the person may not see the inbox (D33). */
async function tellArrived(
  app: App,
  io: Server,
  { userId, arrived }: { userId: string; arrived: readonly string[] },
): Promise<void> {
  const ctx = systemContext(app);
  if (arrived.length === 0 || !(await maySeeInbox(ctx, userId))) return;
  for (const { entryId, fromName, fromAddress, subject } of await readArrived(ctx, userId, arrived)) {
    const event: NewEmailEvent = {
      sender_name: fromName || fromAddress,
      sender_email: fromAddress,
      entry_id: entryId,
      subject,
    };
    io.local.to(userRoom(userId)).emit(realtimeEvents.newEmail, event);
  }
}

/**
 * Whether the person may see the inbox now. It is checked each time: a window stays open when its
 * person loses the permission, or has to change a password that an attacker may know.
 */
async function maySeeInbox(ctx: Ctx, userId: string): Promise<boolean> {
  const found = await readActor(ctx, userId, null);
  return found !== null && !hasDuties(found.actor) && holdsPermission(found.actor.permissions, 'inbox', 'view');
}

/**
 * Refuses connections from pages of other sites. Browsers send the origin of the page that
 * connects.
 */
function isOwnOrigin(app: App, request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (!origin) return true;
  return URL.canParse(origin) && (origin === new URL(app.config.url).origin || new URL(origin).host === host);
}

/** Connections that have already authenticated once. */
const asked = new WeakSet<MailSocket['conn']>();

/** What the login of a connection needs. */
interface Door {
  app: App;
  work: WorkQueue;
  graceMs: number;
}

/**
 * Authenticates a connection. Each connection may do so only once, since it takes several database
 * queries.
 */
async function admit(door: Door, socket: MailSocket, next: (error?: Error) => void): Promise<void> {
  if (asked.has(socket.conn)) {
    socket.conn.close();
    // Without an answer the library would keep the socket for good
    next(new Error('unauthorized'));
    return;
  }
  asked.add(socket.conn);
  const address = clientAddress(socket.request, door.app.config.trustedProxies);
  try {
    await identify(door, socket, address);
  } catch (error) {
    // A client may be refused any number of times. So the line of its own mistake has no stack
    log.info('websocket refused', { address, ...(error instanceof AppError ? { code: error.code } : { error }) });
    next(new Error('unauthorized'));
    return;
  }
  next();
}

async function identify({ app, work, graceMs }: Door, socket: MailSocket, address: string): Promise<void> {
  const { conn, handshake } = socket;
  const token: unknown = handshake.auth['token'];
  // Nothing needs it again, and the socket would hold all that the client has sent with the token
  handshake.auth = {};
  const ctx = anonymousContext(app, randomUUID(), address);
  const claims = await readToken(app, typeof token === 'string' ? token : '', { allowsPending: false });
  const isGone = () => conn.readyState !== 'open';
  const late = () => unavailable('the login of a websocket took too long');
  const patience = { limitMs: app.config.requestTimeoutSeconds * 1000, isGone, late };
  const { actor } = await work.lookUp(claims.userId, patience, () => findPerson(ctx, claims));
  requireDutiesDone(actor);
  // The one event for the end of a connection is over. The timer below would wait for it in vain,
  // and hold all of the connection until the token expires
  if (isGone()) throw badRequest('The connection was closed.', 'client_closed');
  const { userId, email, sessionId } = actor;
  Object.assign(socket.data, { userId, email, sessionKey: sessionId ?? '' });
  const left = claims.expiresAt.getTime() - Date.now() + graceMs;
  // Closes the transport and not the socket: a socket.io client does not reconnect by itself when
  // the server closes its socket
  const timer = setTimeout(() => conn.close(), left);
  conn.once('close', () => clearTimeout(timer));
}

function welcome(socket: MailSocket): void {
  const { userId, email, sessionKey } = socket.data;
  void socket.join(sessionRoom(sessionKey));
  socket.on(realtimeEvents.join, (wanted: unknown, answer: unknown) => {
    const isOwn = typeof wanted === 'string' && wanted.trim().toLowerCase() === email.toLowerCase();
    if (isOwn) void socket.join(userRoom(userId));
    if (typeof answer === 'function') answer({ success: isOwn });
  });
}

/** Closes connections whose session was ended in another process. */
async function dropEnded(io: Server): Promise<void> {
  const sockets = [...io.of('/').sockets.values()] as unknown as MailSocket[];
  if (sockets.length === 0) return;
  const keys = [...new Set(sockets.map((socket) => socket.data.sessionKey))];
  const live = await Session.findAll({ where: { sessionKey: keys, endedAt: null }, attributes: ['sessionKey'] });
  const liveKeys = new Set(live.map(({ sessionKey }) => sessionKey));
  for (const socket of sockets) if (!liveKeys.has(socket.data.sessionKey)) socket.disconnect(true);
}
