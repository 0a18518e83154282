import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessSpec } from '../supervisor/managed-process.ts';
import { socketReady } from '../supervisor/readiness.ts';
import { nameSocket } from './data-dir.ts';
import type { EnginePlace } from './end-left-behind.ts';
import { engineIdentity, findProgram, type Identity } from './identity.ts';

const programs = ['redis-server', 'valkey-server'];
const stopMs = 20_000;

const settings = [
  ['--port', '0'],
  ['--appendonly', 'yes'],
  ['--appendfsync', 'everysec'],
  ['--save', ''],
  // Queues must never be dropped silently
  ['--maxmemory-policy', 'noeviction'],
  ['--daemonize', 'no'],
  ['--logfile', ''],
].flat();

/** Makes the folder of the private Redis and returns how its server is started. */
export function prepareRedis(dataDir: string): {
  spec: ProcessSpec;
  place: EnginePlace;
  identity: Identity;
  redisUrl: string;
} {
  const server = findProgram(programs);
  if (!server) throw new Error('Redis is missing: install redis-server or valkey-server, or set REDIS_URL');
  const identity = engineIdentity(['redis', 'valkey'], dataDir);
  const home = join(dataDir, 'redis');
  const { socket, name } = nameSocket(dataDir, 'redis');
  mkdirSync(home, { recursive: true });
  chownSync(home, identity.uid, identity.gid);
  chmodSync(home, 0o700);
  const [command = server, ...prefix] = [...identity.prefix, server];
  // Redis has no password here: only its own account and root may open the socket
  const args = [...prefix, '--dir', home, '--unixsocket', socket, '--unixsocketperm', '700', ...settings];
  const ready = socketReady(socket, (bytes) => bytes.toString().startsWith('+PONG'), 'PING\r\n');
  const limits = { startMs: 60_000, stopMs };
  const spec = { name: 'redis', command, args, env: process.env, cwd: dataDir, ready, ...limits };
  const place = { name: 'redis', programs, marks: [socket, `unixsocket:${socket}`], stopMs };
  return { spec, place, identity, redisUrl: `unix://${name}?db=0` };
}
