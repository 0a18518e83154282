import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, streamDecode, streamEncode } from 'dns-packet';
import { freePorts } from './free-ports.ts';

/**
 * The records of one name by type, or the failure for the whole name. `TRUNCATED` answers with the
 * TC flag set, by TCP as well.
 */
export type ZoneEntry = Record<string, unknown[]> | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'TIMEOUT' | 'TRUNCATED';

/**
 * Names and their records in the data shapes of dns-packet, e.g. `{ 'a.test': { A: ['127.0.0.1'],
 * MX: [{ preference: 10, exchange: 'mx.a.test' }], TXT: ['text'] } }`.
 */
export type Zone = Record<string, ZoneEntry>;

/** A DNS server on loopback, for UDP and TCP. */
export interface DnsServer {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  address: string;
  /** All questions so far, as `TYPE name`. */
  questions: string[];
  /**
   * Names whose answers are authenticated by DNSSEC, or `TYPE name` for those of one type alone.
   * These answers have the AD flag when the query asks for it.
   */
  proved: Set<string>;
  setZone(zone: Zone): void;
  /** Adds a name, or replaces its records. */
  addRecords(name: string, entry: ZoneEntry): void;
  stop(): Promise<void>;
}

/**
 * Starts a DNS server that knows this zone and answers NXDOMAIN to everything else. Its answers by
 * UDP are delayed by `delayMs`.
 */
export async function startDnsServer(zone: Zone, { delayMs = 0 } = {}): Promise<DnsServer> {
  const [port = 0] = await freePorts(1);
  let names = lowerCaseNames(zone);
  const questions: string[] = [];
  const proved = new Set<string>();
  const answer = (query: Packet) => {
    const response = answerQuery(names, questions, query);
    const { name = '', type = '' } = query.questions?.[0] ?? {};
    const isProved = proved.has(name.toLowerCase()) || proved.has(`${type} ${name.toLowerCase()}`);
    return response && isProved && isProofWanted(query)
      ? { ...response, flags: (response.flags ?? 0) | 0x20 }
      : response;
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => serveTcp(socket, sockets, answer));
  await listenTcp(tcp, port);
  const udp = await listenUdp(port, { answer, delayMs });
  return {
    address: `127.0.0.1:${port}`,
    questions,
    proved,
    setZone: (next) => {
      names = lowerCaseNames(next);
    },
    addRecords: (name, entry) => {
      names.set(name.toLowerCase(), entry);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => tcp.close(() => resolve())),
        new Promise<void>((resolve) => udp.close(() => resolve())),
      ]);
    },
  };
}

/** Whether the query asks for the AD flag (RFC 6840 5.7). */
function isProofWanted({ flags = 0 }: Packet): boolean {
  return (flags & 0x20) !== 0;
}

type AnswerQuery = (query: Packet) => Packet | null;

function answerQuery(names: Map<string, ZoneEntry>, questions: string[], query: Packet): Packet | null {
  const question = query.questions?.[0];
  if (!question) return null;
  questions.push(`${question.type} ${question.name.toLowerCase()}`);
  const entry = names.get(question.name.toLowerCase()) ?? 'NXDOMAIN';
  if (entry === 'TIMEOUT') return null;
  const isCut = entry === 'TRUNCATED';
  const base = { type: 'response' as const, id: query.id ?? 0, questions: [question] };
  if (isCut) return { ...base, flags: 0x0780, answers: [] };
  if (typeof entry === 'string') return { ...base, flags: 0x0180 | rcodes[entry], answers: [] };
  const type = entry[question.type] ? question.type : entry.CNAME ? 'CNAME' : question.type;
  const answers = recordsOf(question.name, type, entry);
  // As a server that follows aliases, also sends the records of the alias's target
  const target = type === 'CNAME' && question.type !== 'CNAME' ? String(entry.CNAME?.[0]) : '';
  const last = names.get(target.toLowerCase());
  if (typeof last === 'object') answers.push(...recordsOf(target, question.type, last));
  return { ...base, flags: 0x0580, answers };
}

function recordsOf(name: string, type: string, entry: Record<string, unknown[]>): Answer[] {
  return (entry[type] ?? []).map((data) => ({ name, type, ttl: 60, data }) as Answer);
}

const rcodes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

function lowerCaseNames(zone: Zone): Map<string, ZoneEntry> {
  return new Map(Object.entries(zone).map(([name, entry]) => [name.toLowerCase(), entry]));
}

function listenTcp(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function listenUdp(port: number, { answer, delayMs }: { answer: AnswerQuery; delayMs: number }): Promise<UdpSocket> {
  const socket = createSocket('udp4');
  socket.on('message', (message, peer) => {
    const response = answer(decode(message));
    if (!response) return;
    const bytes = encode(response);
    // RFC 1035 4.2.1: after an answer that does not fit, the client asks again by TCP
    const fits =
      bytes.length <= 512 ? bytes : encode({ ...response, flags: (response.flags ?? 0) | 0x0200, answers: [] });
    const send = (): void => socket.send(fits, peer.port, peer.address);
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, '127.0.0.1', () => resolve(socket));
  });
}

function serveTcp(socket: Socket, sockets: Set<Socket>, answer: AnswerQuery): void {
  let received = Buffer.alloc(0);
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  // A client that disconnects is not a failure of the test
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= received.readUInt16BE(0) + 2) {
      const length = received.readUInt16BE(0) + 2;
      const response = answer(streamDecode(received.subarray(0, length)));
      received = received.subarray(length);
      if (response) socket.write(streamEncode(response));
    }
  });
}
