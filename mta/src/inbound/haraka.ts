import { createRequire } from 'node:module';
import type { Server as NetServer } from 'node:net';
import { assertLibrary } from '@selvage/core/assert-library';

/*
 * Everything that Selvage uses of Haraka's internals, and everything that it replaces there.
 * `assertHaraka` refuses to open the door when a part of that is missing. No other file changes
 * Haraka's objects.
 */

/** The parts of Haraka's connection that the plugins use. Haraka ships no types. */
export interface HarakaConnection {
  uuid: string;
  state: number;
  /** The command under way. */
  readonly current_line: string | null;
  early_talker: boolean;
  /** The socket, or the TLS on it. */
  client: { destroy(): void; resume(): void };
  /** Bytes that have arrived and are not handled yet. */
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

/** One MAIL command and what follows it. */
export interface HarakaTransaction {
  mail_from: HarakaAddress;
  rcpt_to: HarakaAddress[];
  notes: Record<string, unknown> & { data_line_length_exceeded?: boolean };
}

type Respond = (code: number, text: AnswerText, after?: () => void) => void;

/** The text of an answer as Haraka takes it: lines, one text of several lines, or a plugin's. */
export type AnswerText = string | unknown[] | DSN;

/** What is replaced of a connection. */
interface OpenConnection {
  /** Answers MAIL; the line is what follows the verb. */
  cmd_mail: (line: string) => void;
  client: OpenClient;
  current_data: Buffer | null;
  respond: Respond;
  /** Handles as much of `current_data` as it can. */
  _process_data: () => void;
}

/** What is replaced of the socket, or of the TLS on it. */
interface OpenClient {
  /** False when its peer does not read, until it emits `drain`. */
  write: (...given: unknown[]) => unknown;
  on(event: 'drain', listener: () => void): void;
  pause(): void;
  resume(): void;
}

/** What is replaced of a transaction. */
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
 * Haraka takes the reply code from an argument whose class has this name. Otherwise it chooses a
 * code by itself.
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
  // Its own copy of the constants, wherever that is installed
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

/** What reads Haraka's configuration. */
export interface HarakaConfig {
  get(...given: unknown[]): unknown;
}

/** What Haraka reads anew for each connection or message. */
const readOften: ReadonlySet<unknown> = new Set(['me', 'connection.ini', 'results.ini']);

/**
 * Keeps what Haraka reads of its configuration again and again: its own memory finds the path and
 * copies the answer each time, which takes 3 % of what a message costs. The files don't change
 * while the process lives. Callers share an answer, and none of Haraka's changes it.
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

/** Its modules, with what is used of their inside. */
export interface HarakaInside {
  Connection: { prototype: object };
  createTransaction(): object;
  tls: Partial<HarakaTls>;
  constants: HarakaConstants;
  config: Partial<HarakaConfig>;
}

type HarakaConstants = Record<string, unknown> & { connection?: { state?: Record<string, unknown> } };

/**
 * Refuses a Haraka of another version, or without the parts that are used of its inside.
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

/** Another answer than Haraka's; null leaves it as it is. */
export type Rewrite = (code: number, text: AnswerText) => { code: number; text: AnswerText } | null;

/** Changes what Haraka answers on a connection. The last rewriting that is added comes first. */
export function rewriteAnswers(connection: HarakaConnection, rewrite: Rewrite): void {
  const respond = connection.respond.bind(connection);
  insideOf(connection).respond = (code, text, after) => {
    const other = rewrite(code, text);
    respond(other?.code ?? code, other?.text ?? text, after);
  };
}

/** A path whose local part would be an atom but for its dots. */
const oddlyDotted = /^(from:\s*<)((?:[\w!#$%&'*+/=?^`{|}~-]*\.)+[\w!#$%&'*+/=?^`{|}~-]*)(@[^<>\s@]+>)/i;

/**
 * Old addresses of Japanese phones have two dots together, or one at an end, and their servers send
 * them unquoted. Haraka refuses them, so it gets them in quotes, as RFC 5321 4.1.2 wants them.
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

/** A path of ASCII whose domain has an underscore. */
const underscored = /^(from:\s*<[^>]*@)([a-z0-9.-]*_[a-z0-9._-]*)(?=>)/i;
const underscoredSenders = new WeakMap<HarakaConnection, string>();

/**
 * Bulk senders have bounce addresses with such domains. Haraka refuses them, so it gets another
 * letter for each underscore, and `restoreSender` puts the domain back.
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

/** The sender of MAIL as the peer wrote it. */
export function restoreSender(connection: HarakaConnection, sender: HarakaAddress): string {
  const domain = underscoredSenders.get(connection);
  return domain === undefined ? sender.address : `${sender.user}@${domain}`;
}

/** Commands of this many bytes are handled in one turn of the event loop. */
const turnBytes = 4096;

/**
 * Stops reading from a peer that has sent more than `bytes` of commands ahead, or that does not
 * read its answers: Haraka keeps all of both. What has been read is handled a little in each turn
 * of the event loop; Haraka handles all of it at once.
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
    // Haraka pauses it as well, and then lets it go on by itself
    else if (isHeld && connection.state <= connectionStates.pauseCommand) open.client.resume();
    isHeld = isAhead;
  };
}

/** How long the messages of all peers are read in one turn of the event loop. */
const turnMs = 20;
/** How long they were read in this turn. */
let spentMs = 0;

/**
 * Leaves what has come of a message to a later turn of the event loop when others have used this
 * one up. Node hands on up to 2 MB of each peer in one turn, and a megabyte of bare dots takes 25
 * ms.
 */
export function shareTurns(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const processData = open._process_data.bind(connection);
  let isLeft = false;
  const goOn = (): void => {
    isLeft = false;
    // First, since what is done next may pause it
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

/** Tells whether answers wait for a peer to read. Commands are handled again once it has. */
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
 * Hides all but the beginning from Haraka for the moment. The byte after it shows that more has
 * come: what is pipelined after a command that has to be the last one is refused.
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
 * A command is being answered to a peer that is known not to wait for that. Haraka would look again
 * at each turn of the event loop, one time more with each command. The answer makes it look as
 * well.
 */
function isTurnAwaited({ early_talker, state }: HarakaConnection): boolean {
  return early_talker && (state === connectionStates.pause || state === connectionStates.pauseCommand);
}

/**
 * Lets `take` have the beginning of what has arrived of a message before Haraka handles the rest of
 * it; it answers how many bytes it has taken.
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
      // Haraka would look at each byte of a line that has not come whole yet
      if (!open.current_data.includes(0x0a)) return;
    }
    processData();
  };
}

/** Gives `add` each line of DATA as it came, instead of Haraka's own stream of the message. */
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
