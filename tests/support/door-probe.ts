import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';

/** A door of a host, and what its peer hears first. */
interface Door {
  name: string;
  port: number;
  isTls: boolean;
  /** The name that the peer asks for. */
  host: string;
  /** What the peer says at once; mail doors speak first. */
  says: string;
  hears: RegExp;
}

/** How long a door may let a peer wait. A test's machine is busy. */
const limitMs = 15_000;
/** Leaves the processor to what is restarted meanwhile. */
const pauseMs = 20;

/** The doors of mail. */
export function mailDoors(ports: { smtp: number; submission: number; submissions: number }): Door[] {
  const mail = { host: 'localhost', isTls: false, says: '', hears: /^220 / };
  return [
    { ...mail, name: 'smtp', port: ports.smtp },
    { ...mail, name: 'submission', port: ports.submission },
    { ...mail, name: 'submissions', port: ports.submissions, isTls: true },
  ];
}

/** The door of the console and the webmail, or that of a web server before it. */
export function webDoor(port: number, { host = 'localhost', isTls = false } = {}): Door {
  const says = `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return { name: 'web', port, isTls, host, says, hears: /^HTTP\/1\.1 200 / };
}

/** What peers saw of the doors of a host. */
export interface Seen {
  /** Connections that were answered, by door. */
  answered: Record<string, number>;
  /** Connections that were refused, cut off, or not answered in time. */
  failures: string[];
}

/** Opens one new connection after the other to each door of a host, until some work is done. */
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

/** Resolves when the door has answered as it should. */
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
