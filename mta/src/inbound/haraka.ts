import { createRequire } from 'node:module';
import type { Server as NetServer } from 'node:net';
import { assertLibrary } from '@selvage/core/assert-library';

/*
 * Everything that Selvage uses of Haraka's internals, and everything that it replaces there.
 * `assertHaraka` throws when a part of that is missing, so the inbound door does not open. No other
 * file replaces a method of Haraka's objects.
 */

/** The parts of Haraka's connection that the plugins use. Haraka ships no types. */
export interface HarakaConnection {
  uuid: string;
  state: number;
  /** The command that Haraka is handling. */
  readonly current_line: string | null;
  early_talker: boolean;
  /** The socket, or the TLS layer on top of it. */
  client: { destroy(): void; resume(): void };
  /** Bytes received from the peer that Haraka has not handled yet. */
  readonly current_data: Buffer | null;
  remote: { ip: string; port: number; is_local: boolean };
  local: { host: string };
  hello: { host: string | null; verb: string | null };
  tls: { enabled: boolean; advertised: boolean; cipher?: { name?: string; standardName?: string; version?: string } };
  notes: Record<string, unknown>;
  capabilities: string[];
  transaction: HarakaTransaction | null;
  msg_count: { accept: number; tempfail: number; reject: number };
  last_reject: string;
  readonly respond: Respond;
  disconnect(): void;
  resume(): void;
  reset_transaction(after?: () => void): void;
}

/** One SMTP transaction: a MAIL command and what follows it. */
export interface HarakaTransaction {
  mail_from: HarakaAddress;
  rcpt_to: HarakaAddress[];
  notes: Record<string, unknown> & { data_line_length_exceeded?: boolean };
}

type Respond = (code: number, text: AnswerText, after?: () => void) => void;

/**
 * The text of a reply in the forms that Haraka's `respond` takes: an array of lines, a string that
 * may have several lines, or the DSN of a plugin.
 */
export type AnswerText = string | unknown[] | DSN;

/** The members of a Haraka connection that this file replaces or writes. */
interface OpenConnection {
  /** Handles MAIL. The line is what follows the verb. */
  cmd_mail: (line: string) => void;
  client: OpenClient;
  current_data: Buffer | null;
  respond: Respond;
  /** Handles as much of `current_data` as it can. */
  _process_data: () => void;
}

/**
 * The members of the socket, or of the TLS layer on top of it, that this file replaces or calls.
 */
interface OpenClient {
  /**
   * Returns false while the write buffer is full because the peer does not read. The socket emits
   * `drain` once the buffer is empty.
   */
  write: (...given: unknown[]) => unknown;
  on(event: 'drain', listener: () => void): void;
  pause(): void;
  resume(): void;
}

/** The members of a Haraka transaction that this file replaces or writes. */
interface OpenTransaction {
  add_data: (line: Buffer) => void;
  data_bytes: number;
  message_stream: { destroy: () => void };
}

/** An envelope address; `address` is empty for the null sender. */
export interface HarakaAddress {
  address: string;
  user: string | null;
  host: string | null;
}

/** Ends a hook, with one of Haraka's codes and the text for the peer. */
export type Next = (code?: number, answer?: string | DSN) => void;

interface HarakaServer {
  listeners: NetServer[];
  createServer(params: object): void;
  stopListeners(): void;
}

interface HarakaTls {
  certsByHost: Record<string, { key: Buffer[]; cert: Buffer[] } | undefined>;
  load_default_opts(): void;
}

/** Values of `state`, from haraka-constants. */
export const connectionStates = { command: 1, data: 3, pause: 4, pauseCommand: 5 } as const;

/** Codes that a hook may give to `next`. */
export const verdicts = { ok: 906, deny: 902, denySoft: 903, denyDisconnect: 904, denySoftDisconnect: 909 } as const;

/**
 * Haraka takes the reply code from an object whose class has this name. For a plain text Haraka
 * chooses the code itself.
 */
export class DSN {
  readonly code: number;
  readonly reply: string;

  constructor(code: number, reply: string) {
    this.code = code;
    this.reply = reply;
  }
}

const require = createRequire(import.meta.url);

/** Loads the server. It reads its configuration at once, so HARAKA must be set before. */
export function loadServer(): HarakaServer {
  // Resolves from Haraka's own folder, to get the copies of the modules that Haraka itself uses
  const requireOfHaraka = createRequire(require.resolve('haraka/connection.js'));
  const config = requireOfHaraka('haraka-config') as HarakaConfig;
  assertHaraka({
    ...(require('haraka/connection.js') as Pick<HarakaInside, 'Connection'>),
    ...(require('haraka/transaction.js') as Pick<HarakaInside, 'createTransaction'>),
    tls: require('haraka/tls_socket.js') as HarakaTls,
    constants: requireOfHaraka('haraka-constants') as HarakaConstants,
    config,
  });
  rememberSettings(config);
  return require('haraka/server.js') as HarakaServer;
}

/** The module that reads Haraka's configuration (haraka-config). */
export interface HarakaConfig {
  get(...given: unknown[]): unknown;
}

/** The configuration that Haraka reads again for each connection or message. */
const readOften: ReadonlySet<unknown> = new Set(['me', 'connection.ini', 'results.ini']);

/**
 * Caches the configuration that Haraka reads again and again. Haraka's own cache looks up the path
 * and copies the value at each read, which takes 3 % of the cost of a message. A cached value never
 * goes stale, since the files don't change while the process runs. All callers get the same object,
 * which is safe, since no caller in Haraka changes it.
 */
export function rememberSettings(config: HarakaConfig): void {
  const known = new Map<string, unknown>();
  const read = config.get.bind(config);
  config.get = (...given) => {
    if (!readOften.has(given[0]) || given.some((one) => typeof one === 'function')) return read(...given);
    const key = JSON.stringify(given);
    if (!known.has(key)) known.set(key, read(...given));
    return known.get(key);
  };
}

/** Haraka's modules, with the internals that Selvage uses. */
export interface HarakaInside {
  Connection: { prototype: object };
  createTransaction(): object;
  tls: Partial<HarakaTls>;
  constants: HarakaConstants;
  config: Partial<HarakaConfig>;
}

type HarakaConstants = Record<string, unknown> & { connection?: { state?: Record<string, unknown> } };

/**
 * Refuses another version of Haraka, and one that lacks an internal that Selvage uses.
 * @throws Error with a sentence for the operator
 */
export function assertHaraka({ Connection, createTransaction, tls, constants, config }: HarakaInside): void {
  const { add_data, message_stream, data_bytes } = createTransaction() as Partial<OpenTransaction>;
  const connection = Connection.prototype as Record<string, unknown>;
  const methods = ['_process_data', 'cmd_mail', 'respond', 'disconnect', 'resume', 'reset_transaction'];
  const states = {
    CMD: connectionStates.command,
    DATA: connectionStates.data,
    PAUSE: connectionStates.pause,
    PAUSE_SMTP: connectionStates.pauseCommand,
  };
  const codes = {
    ok: verdicts.ok,
    deny: verdicts.deny,
    denysoft: verdicts.denySoft,
    denydisconnect: verdicts.denyDisconnect,
    denysoftdisconnect: verdicts.denySoftDisconnect,
  };
  assertLibrary({
    name: 'haraka',
    version: '3.3.4',
    from: import.meta.url,
    members: {
      ...Object.fromEntries(methods.map((name) => [name, typeof connection[name] === 'function'])),
      add_data: typeof add_data === 'function',
      data_bytes: typeof data_bytes === 'number',
      'message_stream.destroy': typeof message_stream?.destroy === 'function',
      load_default_opts: typeof tls.load_default_opts === 'function',
      certsByHost: typeof tls.certsByHost === 'object',
      'config.get': typeof config.get === 'function',
      'the states of a connection': isWithin(constants.connection?.state, states),
      'the codes of hooks': isWithin(constants, codes),
    },
  });
}

function isWithin(all: Record<string, unknown> | undefined, wanted: Record<string, number>): boolean {
  return Object.entries(wanted).every(([name, value]) => all?.[name] === value);
}

/** Returns the reply to send in place of Haraka's, or null to send Haraka's reply unchanged. */
export type Rewrite = (code: number, text: AnswerText) => { code: number; text: AnswerText } | null;

/**
 * Rewrites Haraka's replies on a connection. Of several rewrites, the one that was added last runs
 * first.
 */
export function rewriteAnswers(connection: HarakaConnection, rewrite: Rewrite): void {
  const respond = connection.respond.bind(connection);
  insideOf(connection).respond = (code, text, after) => {
    const other = rewrite(code, text);
    respond(other?.code ?? code, other?.text ?? text, after);
  };
}

/** A MAIL path whose local part has only characters of an atom and dots, in any order. */
const oddlyDotted = /^(from:\s*<)((?:[\w!#$%&'*+/=?^`{|}~-]*\.)+[\w!#$%&'*+/=?^`{|}~-]*)(@[^<>\s@]+>)/i;

/**
 * Old addresses of Japanese mobile phones have two dots in a row, or a dot at one end of the local
 * part. Their servers send them unquoted, and Haraka refuses them. This function puts such a local
 * part in quotes, as RFC 5321 4.1.2 demands, before Haraka parses it.
 */
export function quoteOddSenders(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const answerMail = open.cmd_mail.bind(connection);
  open.cmd_mail = (line) => {
    const [, , local = ''] = oddlyDotted.exec(line) ?? [];
    const isOdd = /^\.|\.\.|\.$/.test(local);
    answerMail(isOdd ? line.replace(oddlyDotted, '$1"$2"$3') : line);
  };
}

/** A MAIL path whose domain is ASCII and has an underscore. */
const underscored = /^(from:\s*<[^>]*@)([a-z0-9.-]*_[a-z0-9._-]*)(?=>)/i;
const underscoredSenders = new WeakMap<HarakaConnection, string>();

/**
 * Some bulk senders use bounce addresses whose domain has an underscore, which Haraka refuses. This
 * function replaces each underscore by a letter before Haraka parses the address. `restoreSender`
 * returns the original domain.
 */
export function takeUnderscores(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const answerMail = open.cmd_mail.bind(connection);
  open.cmd_mail = (line) => {
    const [, path, domain] = underscored.exec(line) ?? [];
    if (path === undefined || domain === undefined) {
      underscoredSenders.delete(connection);
      return answerMail(line);
    }
    underscoredSenders.set(connection, domain);
    answerMail(line.replace(underscored, `$1${domain.replaceAll('_', 'x')}`));
  };
}

/** The sender of MAIL, with its domain as the peer wrote it. */
export function restoreSender(connection: HarakaConnection, sender: HarakaAddress): string {
  const domain = underscoredSenders.get(connection);
  return domain === undefined ? sender.address : `${sender.user}@${domain}`;
}

/** At most this many bytes of commands are handled in one turn of the event loop. */
const turnBytes = 4096;

/**
 * Limits how much of a peer's input and output Haraka buffers. Stops reading from a peer that has
 * sent more than `bytes` of commands ahead. Handles no further command while the peer does not read
 * its replies. Handles at most `turnBytes` of commands in each turn of the event loop, where Haraka
 * would handle all of them in one turn.
 */
export function boundPipeline(connection: HarakaConnection, bytes: number): void {
  const open = insideOf(connection);
  const hasUnread = watchUnread(connection);
  const processData = open._process_data.bind(connection);
  let isResting = false;
  let isHeld = false;
  const handle = (): void => {
    const isTurnOver = open.current_data !== null && open.current_data.length > turnBytes;
    if (!isTurnOver || connection.state !== connectionStates.command) return processData();
    handleBeginning(open, processData);
    isResting = true;
    setImmediate(() => {
      isResting = false;
      open._process_data();
    });
  };
  open._process_data = () => {
    const mayGoOn = connection.state !== connectionStates.command || !(isResting || hasUnread());
    if (mayGoOn && !isTurnAwaited(connection)) handle();
    const isAhead = connection.state !== connectionStates.data && (open.current_data?.length ?? 0) > bytes;
    if (isAhead) open.client.pause();
    // In any later state Haraka itself has paused the socket, and it also resumes it
    else if (isHeld && connection.state <= connectionStates.pauseCommand) open.client.resume();
    isHeld = isAhead;
  };
}

/** The time for the message data of all peers together in one turn of the event loop. */
const turnMs = 20;
/** The time that message data has taken in this turn. */
let spentMs = 0;

/**
 * Limits the time that the message data of all peers takes in one turn of the event loop. Once that
 * time is used up, a connection pauses its socket and handles its data in a later turn. Without the
 * limit, Node hands on up to 2 MB of each peer in one turn, and a megabyte of lines of dots takes
 * 25 ms.
 */
export function shareTurns(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const processData = open._process_data.bind(connection);
  let isLeft = false;
  const goOn = (): void => {
    isLeft = false;
    // Before `_process_data`, which may pause the socket again
    open.client.resume();
    open._process_data();
  };
  open._process_data = () => {
    if (connection.state !== connectionStates.data) return processData();
    if (spentMs < turnMs) return spend(processData);
    if (isLeft) return;
    isLeft = true;
    open.client.pause();
    setImmediate(goOn);
  };
}

function spend(work: () => void): void {
  if (spentMs === 0) setImmediate(endTurn);
  const begun = performance.now();
  try {
    work();
  } finally {
    spentMs += performance.now() - begun;
  }
}

function endTurn(): void {
  spentMs = 0;
}

/**
 * Returns a function that tells whether replies wait for the peer to read them. Once the socket has
 * drained, the commands that have waited are handled.
 */
function watchUnread(connection: HarakaConnection): () => boolean {
  const open = insideOf(connection);
  const { client } = open;
  let isUnread = false;
  const write = client.write.bind(client);
  client.write = (...given) => {
    const isFlowing = write(...given);
    isUnread = isFlowing === false;
    return isFlowing;
  };
  client.on('drain', () => {
    isUnread = false;
    open._process_data();
  });
  return () => isUnread;
}

/**
 * Lets Haraka handle only the first `turnBytes` of what has been read. The space appended to them
 * shows Haraka that more data follows: it refuses data that a peer pipelines after a command that
 * must be the last one of its group (RFC 2920 3.1).
 */
function handleBeginning(open: OpenConnection, processData: () => void): void {
  const all = open.current_data ?? Buffer.alloc(0);
  const rest = all.subarray(turnBytes);
  open.current_data = Buffer.concat([all.subarray(0, turnBytes), Buffer.from(' ')]);
  processData();
  // Null when the connection has ended
  if (open.current_data) open.current_data = Buffer.concat([open.current_data.subarray(0, -1), rest]);
}

/**
 * Whether Haraka waits for the reply to a command of a peer that is known to send early. In that
 * state Haraka schedules another pass for each turn of the event loop, and each further command
 * adds one more. No pass is needed until the reply, which starts one.
 */
function isTurnAwaited({ early_talker, state }: HarakaConnection): boolean {
  return early_talker && (state === connectionStates.pause || state === connectionStates.pauseCommand);
}

/**
 * Calls `take` with the message data that has arrived, before Haraka handles it. `take` returns how
 * many bytes it has taken from the beginning, and Haraka handles the rest.
 */
export function takeData(
  connection: HarakaConnection,
  take: (bytes: Buffer, transaction: HarakaTransaction) => number,
): void {
  const open = insideOf(connection);
  const processData = open._process_data.bind(connection);
  open._process_data = () => {
    const { transaction, state } = connection;
    if (open.current_data && transaction && state === connectionStates.data) {
      const taken = take(open.current_data, transaction);
      if (taken > 0) {
        openTransaction(transaction).data_bytes += taken;
        open.current_data = open.current_data.subarray(taken);
      }
      // Without a line end there is nothing to handle, and Haraka would search the whole line for
      // one
      if (!open.current_data.includes(0x0a)) return;
    }
    processData();
  };
}

/** Passes each line of DATA to `add` as it came, instead of to Haraka's own message stream. */
export function collectData(transaction: HarakaTransaction, add: (line: Buffer) => void): void {
  const open = openTransaction(transaction);
  open.add_data = add;
  // Haraka destroys this stream at the end. Nothing was spooled, so there is no file to remove
  open.message_stream.destroy = () => undefined;
}

const insideOf = (connection: HarakaConnection) => connection as unknown as OpenConnection;
const openTransaction = (transaction: HarakaTransaction) => transaction as unknown as OpenTransaction;

/** Shows a new certificate to new connections. Open connections keep theirs. */
export function showCertificate({ key, cert }: { key: string; cert: string }): void {
  const tls = require('haraka/tls_socket.js') as HarakaTls;
  const options = tls.certsByHost['*'];
  if (!options) throw new Error('Haraka has no TLS settings yet');
  // Clients without SNI get these options. Clients with SNI get the context that is loaded from
  // them
  options.key = [Buffer.from(key)];
  options.cert = [Buffer.from(cert)];
  tls.load_default_opts();
}
