import { get } from 'node:http';
import { createConnection } from 'node:net';

/** Says whether a process can do its work now. Never throws. */
export type Probe = () => Promise<boolean>;

const probeMs = 2_000;

/** Ready when a server answers 200. Uses `node:http`, since `fetch` takes much more memory. */
export function httpReady(url: string): Probe {
  return () =>
    new Promise((resolve) => {
      const asked = get(url, { agent: false, timeout: probeMs }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve(false));
      asked.on('close', () => resolve(false));
    });
}

/**
 * Ready when the peer on a unix socket answers (to `greeting`, if one is given) with bytes that
 * `accepts` approves.
 */
export function socketReady(path: string, accepts: (bytes: Buffer) => boolean, greeting?: string): Probe {
  return () =>
    new Promise((resolve) => {
      const socket = createConnection({ path });
      const settle = (ready: boolean) => {
        socket.destroy();
        resolve(ready);
      };
      socket.setTimeout(probeMs, () => settle(false));
      socket.on('error', () => settle(false));
      socket.on('close', () => resolve(false));
      socket.on('connect', () => greeting && socket.write(greeting));
      socket.on('data', (bytes: Buffer) => settle(accepts(bytes)));
    });
}
