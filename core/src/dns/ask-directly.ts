import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP, isIPv6 } from 'node:net';
import { type Answer, decode, type DecodedPacket, encode, type Packet, streamEncode } from 'dns-packet';

/** What is asked. SPF asks for these types by names that a sender makes. */
export interface DirectQuestion {
  /** Labels of at most 63 characters of printable ASCII. */
  name: string;
  type: 'A' | 'AAAA' | 'MX' | 'TXT';
}

type Records = string[] | string[][];

interface Server {
  host: string;
  port: number;
  timeoutMs: number;
}

/**
 * Asks name servers for a name with any printable character. node:dns takes letters, digits and a
 * few signs only, but RFC 7208 7.1 also builds names of a sender's local part.
 * @param servers as `getServers` of node:dns lists them, asked one after the other
 * @returns what `resolve` of node:dns gives for that type
 * @throws Error with a code of node:dns
 */
export async function askDirectly(
  servers: readonly string[],
  question: DirectQuestion,
  { timeoutMs, tries }: { timeoutMs: number; tries: number },
): Promise<Records> {
  let failure: unknown = failed('ECONNREFUSED');
  for (const server of Array.from({ length: tries }, () => servers).flat()) {
    try {
      return readAnswer(await exchange({ ...placeOf(server), timeoutMs }, question), question);
    } catch (error) {
      failure = error;
      if (isFinal(error)) break;
    }
  }
  throw failure;
}

/** Asks by UDP, and again by TCP when the answer does not fit (RFC 1035 4.2.1). */
async function exchange(server: Server, question: DirectQuestion): Promise<DecodedPacket> {
  const query: Packet = { type: 'query', id: randomInt(65_536), flags: 0x0100, questions: [question] };
  const answer = await askByUdp(server, query);
  return answer.flag_tc ? await askByTcp(server, query) : answer;
}

function askByUdp({ host, port, timeoutMs }: Server, query: Packet): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const giveUp = setTimeout(() => reject(failed('ETIMEOUT')), timeoutMs);
  socket.on('error', reject);
  socket.on('message', (bytes) => {
    const answer = read(() => decode(bytes));
    if (answer && belongsTo(answer, query)) resolve(answer);
  });
  // A connected socket hears this server only
  socket.connect(port, host, () => socket.send(encode(query)));
  return promise.finally(() => {
    clearTimeout(giveUp);
    socket.close();
  });
}

function askByTcp({ host, port, timeoutMs }: Server, query: Packet): Promise<DecodedPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = connect(port, host, () => socket.write(streamEncode(query)));
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

/** Null for bytes that are no packet: an attacker may send any. */
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

/** A server that follows aliases sends the records of the last name along with them. */
function readAnswer({ flags = 0, answers = [] }: DecodedPacket, { type }: DirectQuestion): Records {
  const code = flags & 0x0f;
  if (code !== 0) throw failed(rcodes[code] ?? 'EBADRESP');
  const records = answers.filter((answer) => answer.type === type).map(recordOf) as Records;
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
