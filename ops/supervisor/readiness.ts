import { createConnection } from 'node:net';

/** Says whether a process can do its work now. Never throws. */
export type Probe = () => Promise<boolean>;

const PROBE_MS = 2_000;

export function httpReady(url: string): Probe {
  return async () => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      // Refused or timed out, so not ready yet
      return false;
    }
  };
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
      socket.setTimeout(PROBE_MS, () => settle(false));
      socket.on('error', () => settle(false));
      socket.on('close', () => resolve(false));
      socket.on('connect', () => greeting && socket.write(greeting));
      socket.on('data', (bytes: Buffer) => settle(accepts(bytes)));
    });
}
