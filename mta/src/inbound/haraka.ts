import { createRequire } from 'node:module';
import type { Server as NetServer } from 'node:net';
import { assertLibrary } from '@selvage/core/assert-library';

/*
 * Everything that Selvage uses of Haraka's internals. `assertHaraka` throws when a part of that is
 * missing, so the inbound door does not open. Methods of Haraka's objects are replaced here, in
 * odd-senders.ts and in pace-connection.ts, and in no other file. In which order the replacements
 * of a connection run is drawn at `hook_connect` in `haraka/plugins/connections/index.ts`.
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
  hello: { host: string | null; verb: string | null };
  tls: { enabled: boolean; advertised: boolean; cipher?: { name?: string; standardName?: string; version?: string } };
  capabilities: string[];
  transaction: HarakaTransaction | null;
  readonly respond: Respond;
  disconnect(): void;
  resume(): void;
  reset_transaction(after?: () => void): void;
}

/** One SMTP transaction: a MAIL command and what follows it. */
export interface HarakaTransaction {
  notes: Record<string, unknown> & { data_line_length_exceeded?: boolean };
}

type Respond = (code: number, text: ReplyText, after?: () => void) => void;

/**
 * The text of a reply in the forms that Haraka's `respond` takes: an array of lines, a string that
 * may have several lines, or the DSN of a plugin.
 */
export type ReplyText = string | unknown[] | DSN;

/** The members of a Haraka connection that are replaced or written. */
export interface OpenConnection {
  /** Handles MAIL. The line is what follows the verb. */
  cmd_mail: (line: string) => void;
  client: OpenClient;
  current_data: Buffer | null;
  respond: Respond;
  /** Handles as much of `current_data` as it can. */
  _process_data: () => void;
}

/** The members of the socket, or of the TLS layer on top of it, that are replaced or called. */
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

/** The members of a Haraka transaction that are replaced or written. */
interface OpenTransaction {
  add_data: (line: Buffer) => void;
  data_bytes: number;
  message_stream: { destroy: () => void };
}

/** An envelope address; `address` is empty for the null sender. */
export interface HarakaAddress {
  address: string;
  user: string | null;
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
  const { Connection } = require('haraka/connection.js') as Pick<HarakaInside, 'Connection'>;
  const results = requireOfHaraka('haraka-results') as HarakaInside['results'];
  const constants = requireOfHaraka('haraka-constants') as HarakaConstants;
  assertHaraka({
    Connection,
    results,
    ...(require('haraka/transaction.js') as Pick<HarakaInside, 'createTransaction'>),
    tls: require('haraka/tls_socket.js') as HarakaTls,
    constants,
    config,
  });
  rememberSettings(config);
  describeFailuresAlone(results.prototype);
  dropQuietLines(Connection.prototype);
  nameCodesOnce(constants);
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
  results: { prototype: Partial<HarakaResults> };
}

/** The part of Haraka's store of results (haraka-results) that is replaced. */
interface HarakaResults {
  /** Describes what is known of a plugin, and logs the facts that it has just added. */
  _log: (plugin: unknown, known: object, facts: { emit?: unknown; err?: unknown }) => unknown;
}

/**
 * Haraka describes each result of each plugin in two texts for people. Only those that are logged
 * are made.
 */
function describeFailuresAlone(results: Partial<HarakaResults>): void {
  const { _log: describe } = results;
  results._log = function describeLogged(this: unknown, plugin, known, facts) {
    return facts.emit || facts.err ? describe?.call(this, plugin, known, facts) : undefined;
  };
}

/** The levels below the one that mta/haraka/config/log.ini sets. */
const quietLevels = ['data', 'protocol', 'debug', 'info', 'notice'];

/** Haraka looks at the level of a line only after it has built it. */
function dropQuietLines(connection: object): void {
  Object.assign(connection, Object.fromEntries(quietLevels.map((level) => [`log${level}`, () => undefined])));
}

type HarakaConstants = Record<string, unknown> & {
  connection?: { state?: Record<string, unknown> };
  /** The name of a hook's code. */
  translate?: (code: unknown) => string | undefined;
};

/**
 * Haraka asks for the names of codes four times a message, and lists all of its names to see
 * whether there is one. That is a fifteenth of the memory that a message takes.
 */
function nameCodesOnce(constants: HarakaConstants): void {
  const { translate } = constants;
  const names = new Map<unknown, string | undefined>();
  constants.translate = (code) => {
    if (!names.has(code)) names.set(code, translate?.(code));
    return names.get(code);
  };
}

/**
 * Refuses another version of Haraka, and one that lacks an internal that Selvage uses.
 * @throws Error with a sentence for the operator
 */
export function assertHaraka({ Connection, createTransaction, tls, constants, config, results }: HarakaInside): void {
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
      'constants.translate': typeof constants.translate === 'function',
      'results._log': typeof results.prototype._log === 'function',
      'the states of a connection': isWithin(constants.connection?.state, states),
      'the codes of hooks': isWithin(constants, codes),
    },
  });
}

function isWithin(all: Record<string, unknown> | undefined, wanted: Record<string, number>): boolean {
  return Object.entries(wanted).every(([name, value]) => all?.[name] === value);
}

/** Returns the reply to send in place of Haraka's, or null to send Haraka's reply unchanged. */
export type Rewrite = (code: number, text: ReplyText) => { code: number; text: ReplyText } | null;

/**
 * Rewrites Haraka's replies on a connection. Of several rewrites, the one that was added last runs
 * first.
 */
export function rewriteReplies(connection: HarakaConnection, rewrite: Rewrite): void {
  const respond = connection.respond.bind(connection);
  insideOf(connection).respond = (code, text, after) => {
    const other = rewrite(code, text);
    respond(other?.code ?? code, other?.text ?? text, after);
  };
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

/** The connection with the members that are replaced. */
export const insideOf = (connection: HarakaConnection) => connection as unknown as OpenConnection;
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
