import { createRequire } from 'node:module';
import type { Server as NetServer } from 'node:net';
import { assertLibrary } from '@selvage/core/assert-library';

/** The parts of Haraka's connection that the plugins use. Haraka ships no types. */
export interface HarakaConnection {
  uuid: string;
  state: number;
  early_talker: boolean;
  /** The socket, or the TLS on it. */
  client: { destroy(): void };
  /** Bytes that have arrived and are not handled yet. */
  current_data: Buffer | null;
  remote: { ip: string; port: number; is_local: boolean };
  local: { host: string };
  hello: { host: string | null; verb: string | null };
  tls: { enabled: boolean; advertised: boolean; cipher?: { name?: string; standardName?: string; version?: string } };
  notes: Record<string, unknown>;
  capabilities: string[];
  transaction: HarakaTransaction | null;
  msg_count: { accept: number; tempfail: number; reject: number };
  last_reject: string;
  respond(code: number, text: string | unknown[] | DSN, after?: () => void): void;
  disconnect(): void;
  /** Handles as much of `current_data` as it can. */
  _process_data(): void;
  resume(): void;
  reset_transaction(after?: () => void): void;
}

/** One MAIL command and what follows it. */
export interface HarakaTransaction {
  mail_from: HarakaAddress;
  rcpt_to: HarakaAddress[];
  notes: Record<string, unknown> & { data_line_length_exceeded?: boolean };
  add_data(line: Buffer): void;
  data_bytes: number;
  message_stream: { destroy(): void };
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
export const connectionStates = { data: 3 } as const;

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
  assertHaraka();
  return require('haraka/server.js') as HarakaServer;
}

/**
 * The parts of its inside that are used: most of all `_process_data`, which plain-lines.ts
 * replaces.
 */
function assertHaraka(): void {
  const { Connection } = require('haraka/connection.js') as { Connection: { prototype: Record<string, unknown> } };
  const names = ['_process_data', 'respond', 'disconnect', 'resume', 'reset_transaction'];
  const members = names.map((name) => [name, typeof Connection.prototype[name] === 'function'] as const);
  assertLibrary({ name: 'haraka', version: '3.3.4', from: import.meta.url, members: Object.fromEntries(members) });
}

/** Loads the part that holds the certificates. */
export function loadTls(): HarakaTls {
  return require('haraka/tls_socket.js') as HarakaTls;
}
