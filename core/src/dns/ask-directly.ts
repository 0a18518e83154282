import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP, isIPv6 } from 'node:net';
import { type Answer, decode, type DecodedPacket, DNSSEC_OK, encode, type Packet, streamEncode } from 'dns-packet';

/** A question for `askDirectly`. SPF asks for these types, by names that a sender can influence. */
export interface DirectQuestion {
  /** Labels of at most 63 characters of printable ASCII. */
  name: string;
  type: 'A' | 'AAAA' | 'MX' | 'TXT';
}

/** How long to wait for an answer, and how often to ask each server. */
export interface AskLimits {
  timeoutMs: number;
  tries: number;
}

/** A question of any of the types that a check of a domain needs. */
export interface AnyQuestion {
  name: string;
  type: DirectQuestion['type'] | 'NS' | 'SOA' | 'CNAME' | 'TLSA' | 'SRV' | 'PTR';
}

/** Records, and whether the name server says that DNSSEC proves them. */
export interface ProvableAnswer {
  records: Answer[];
  /**
   * The AD flag (RFC 4035 3.2.3). Trust it as far as the name server and the network path to it.
   */
  isProved: boolean;
}

type Records = string[] | string[][];

interface Server {
  host: string;
  port: number;
  timeoutMs: number;
}

/**
 * Asks name servers for a name with any printable character. node:dns accepts only letters, digits
 * and a few signs, but SPF macros also build names from a sender's local part (RFC 7208 7.1).
 * @param servers as `getServers` of node:dns lists them, asked one after the other
 * @returns what `resolve` of node:dns gives for that type
 * @throws Error with a code of node:dns
 */
export async function askDirectly(
  servers: readonly string[],
  question: DirectQuestion,
  limits: AskLimits,
): Promise<Records> {
  return (await askForRecords(servers, question, limits)).map(recordOf) as Records;
}

/**
 * Asks name servers for the records of a name, each with its TTL, which node:dns leaves out.
 * @returns the records of the type that was asked for; for an alias, those of the last name
 * @throws Error with a code of node:dns
 */
export async function askForRecords(
  servers: readonly string[],
  question: AnyQuestion,
  limits: AskLimits,
): Promise<Answer[]> {
  return await askAll(servers, limits, async (server) => {
    return readAnswer(await exchange(server, queryFor(question)), question);
  });
}

/**
 * Asks name servers that validate DNSSEC for the records of a name, and whether DNSSEC proves them.
 * @returns as `askForRecords`
 * @throws Error with a code of node:dns; `ESERVFAIL` also when a signature is wrong
 */
export async function askWithProof(
  servers: readonly string[],
  question: AnyQuestion,
  limits: AskLimits,
): Promise<ProvableAnswer> {
  return await askAll(servers, limits, async (server) => {
    const answer = await exchange(server, withProof(queryFor(question)));
    return { records: readAnswer(answer, question), isProved: answer.flag_ad };
  });
}

/** Asks one server after the other until one gives an answer. */
async function askAll<T>(
  servers: readonly string[],
  { timeoutMs, tries }: AskLimits,
  ask: (server: Server) => Promise<T>,
): Promise<T> {
  let failure: unknown = failed('ECONNREFUSED');
  for (const server of Array.from({ length: tries }, () => servers).flat()) {
    try {
      return await ask({ ...placeOf(server), timeoutMs });
    } catch (error) {
      failure = error;
      if (isFinal(error)) break;
    }
  }
  throw failure;
}

function queryFor(question: AnyQuestion): Packet {
  return { type: 'query', id: randomInt(65_536), flags: 0x0100, questions: [question] };
}

/**
 * RFC 6840 5.7: AD in a query asks for AD in the answer. Some name servers look at DO instead,
 * which asks for signatures as well (RFC 3225).
 */
function withProof(query: Packet): Packet {
  const flags = (query.flags ?? 0) | 0x0020;
  // 1232 bytes pass through every network in one piece
  const opt = { type: 'OPT' as const, name: '.' as const, udpPayloadSize: 1232, flags: DNSSEC_OK };
  return { ...query, flags, additionals: [{ ...opt, extendedRcode: 0, ednsVersion: 0, flag_do: true, options: [] }] };
}

/** Asks by UDP, and again by TCP when the answer does not fit (RFC 1035 4.2.1). */
async function exchange(server: Server, query: Packet): Promise<DecodedPacket> {
  const answer = await askByUdp(server, query);
  if (!answer.flag_tc) return answer;
  const whole = await askByTcp(server, query);
  // A part of an answer says nothing of the records that were left out
  if (whole.flag_tc) throw failed('EBADRESP');
  return whole;
}

function askByUdp({ host, port, timeoutMs }: Server, query: Packet): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  // Encoded before there is a socket, since a name that can't be encoded throws
  const question = encode(query);
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const giveUp = setTimeout(() => reject(failed('ETIMEOUT')), timeoutMs);
  socket.on('error', reject);
  socket.on('message', (bytes) => {
    const answer = read(() => decode(bytes));
    if (answer && belongsTo(answer, query)) resolve(answer);
  });
  // A connected socket receives from this server only. The types don't say that the callback may
  // get an error
  const connected = (error?: Error): void => (error ? reject(error) : socket.send(question));
  socket.connect(port, host, connected);
  return promise.finally(() => {
    clearTimeout(giveUp);
    socket.close();
  });
}

function askByTcp({ host, port, timeoutMs }: Server, query: Packet): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const question = streamEncode(query);
  const socket = connect(port, host, () => socket.write(question));
  const giveUp = setTimeout(() => reject(failed('ETIMEOUT')), timeoutMs);
  let received = Buffer.alloc(0);
  socket.on('error', reject);
  socket.on('close', () => reject(failed('EBADRESP')));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return;
    const answer = read(() => decode(received.subarray(2)));
    if (answer && belongsTo(answer, query)) resolve(answer);
    else reject(failed('EBADRESP'));
  });
  return promise.finally(() => {
    clearTimeout(giveUp);
    socket.destroy();
  });
}

/** Decodes a packet; null for bytes that are none, since an attacker may send anything. */
function read(decoded: () => DecodedPacket): DecodedPacket | null {
  try {
    return decoded();
  } catch {
    // The right answer may still come
    return null;
  }
}

function belongsTo(answer: DecodedPacket, { id, questions = [] }: Packet): boolean {
  const [asked, about] = [questions[0], answer.questions?.[0]];
  if (!answer.flag_qr || answer.id !== id || !asked || !about) return false;
  return about.type === asked.type && about.name.toLowerCase() === asked.name.toLowerCase();
}

const rcodes: Record<number, string> = { 2: 'ESERVFAIL', 3: 'ENOTFOUND', 5: 'EREFUSED' };

/**
 * The records of the type that was asked for. A server that follows aliases sends those of the last
 * name along with the aliases.
 */
function readAnswer({ flags = 0, answers = [] }: DecodedPacket, { type }: AnyQuestion): Answer[] {
  const code = flags & 0x0f;
  if (code !== 0) throw failed(rcodes[code] ?? 'EBADRESP');
  const records = answers.filter((answer) => answer.type === type);
  if (records.length === 0) throw failed('ENODATA');
  return records;
}

function recordOf(answer: Answer): unknown {
  if (answer.type === 'TXT') return [answer.data].flat().map((piece) => piece.toString());
  if (answer.type === 'MX') return { exchange: answer.data.exchange, priority: answer.data.preference ?? 0 };
  return answer.type === 'A' || answer.type === 'AAAA' ? answer.data : null;
}

/** Says whether another server would give the same answer. */
function isFinal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. */
function placeOf(server: string): { host: string; port: number } {
  if (isIP(server)) return { host: server, port: 53 };
  const colon = server.lastIndexOf(':');
  return { host: server.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(server.slice(colon + 1)) };
}

function failed(code: string): Error {
  return Object.assign(new Error(`a name server was asked directly: ${code}`), { code });
}
