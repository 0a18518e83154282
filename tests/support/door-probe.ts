import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';

/** A port of a host, and the exchange by which a peer checks it. */
interface Door {
  name: string;
  port: number;
  isTls: boolean;
  /** The server name of the TLS handshake. */
  host: string;
  /** The first bytes that the peer sends. Empty for SMTP, where the server speaks first. */
  says: string;
  hears: RegExp;
}

/** How long a peer waits for the answer, in milliseconds. The machine is busy during tests. */
const limitMs = 15_000;
/**
 * A pause between connections that leaves processor time to the processes that restart meanwhile.
 */
const pauseMs = 20;

/** The SMTP ports. */
export function mailDoors(ports: { smtp: number; submission: number; submissions: number }): Door[] {
  const mail = { host: 'localhost', isTls: false, says: '', hears: /^220 / };
  return [
    { ...mail, name: 'smtp', port: ports.smtp },
    { ...mail, name: 'submission', port: ports.submission },
    { ...mail, name: 'submissions', port: ports.submissions, isTls: true },
  ];
}

/** The port of the console and the webmail, or of a web server in front of it. */
export function webDoor(port: number, { host = 'localhost', isTls = false } = {}): Door {
  const says = `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return { name: 'web', port, isTls, host, says, hears: /^HTTP\/1\.1 200 / };
}

/** The results of the connections to the doors of a host. */
export interface Seen {
  /** Connections that were answered, by door. */
  answered: Record<string, number>;
  /** Connections that were refused, closed early, or not answered in time. */
  failures: string[];
}

/** Opens new connections to each door of a host, one after the other, until `work` has ended. */
export async function probeDoors(doors: readonly Door[], work: () => Promise<unknown>): Promise<Seen> {
  const answered: Record<string, number> = {};
  const failures: string[] = [];
  let isOver = false;
  const knock = async (door: Door): Promise<void> => {
    answered[door.name] = 0;
    while (!isOver) {
      try {
        await ask(door);
        answered[door.name] = (answered[door.name] ?? 0) + 1;
      } catch (error) {
        failures.push(`${door.name} at ${new Date().toISOString()}: ${String(error)}`);
      }
      await wait(pauseMs);
    }
  };
  const over = work().finally(() => {
    isOver = true;
  });
  await Promise.all([over, ...doors.map(knock)]);
  return { answered, failures };
}

/** Resolves when the door has given the expected answer. */
function ask({ port, isTls, host, says, hears }: Door): Promise<void> {
  return new Promise((resolve, reject) => {
    const target = { port, host: '127.0.0.1' };
    const socket: Socket = isTls
      ? connectTls({ ...target, servername: host, rejectUnauthorized: false })
      : connect(target);
    let heard = '';
    const end = (error?: Error): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setEncoding('latin1');
    socket.setTimeout(limitMs, () => end(new Error('no answer')));
    socket.on('error', end);
    socket.on('close', () => end(new Error(`closed after "${heard}"`)));
    socket.write(says);
    socket.on('data', (text: string) => {
      heard += text;
      if (hears.test(heard)) end();
      else if (heard.includes('\n')) end(new Error(`answered "${heard}"`));
    });
  });
}
