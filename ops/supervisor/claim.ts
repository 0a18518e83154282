import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Makes this process the only one that works on a data directory, for as long as it lives. Returns
 * false when another process holds the claim.
 *
 * The claim is an abstract unix socket on which this process listens. The kernel gives its name to
 * only one process, and frees it however that process ends. So of two starts at the same moment
 * only one goes on, and no stale lock is ever left.
 */
export function claimDataDir(dataDir: string): Promise<boolean> {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ path: `\0selvage-${name}` }, () => resolve(true));
    server.unref();
  });
}
