import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/**
 * Ports are reserved in blocks. The first port of a block is its lock: the process that listens on
 * it may hand out the others.
 */
const blockSize = 10;
const blocks = 1000;

/** Ports of this process's blocks that are not handed out yet. */
const left: number[] = [];

/**
 * Reserves free loopback ports for the caller while this process lives. This function gives them to
 * no other process. They are below the kernel's ephemeral range, so no outgoing connection and no
 * `listen(0)` takes one.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = left.shift();
    if (port === undefined) left.push(...(await takeBlock()));
    else if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function takeBlock(): Promise<number[]> {
  const first = firstPort();
  const start = Math.floor(Math.random() * blocks);
  for (let tried = 0; tried < blocks; tried += 1) {
    const port = first + ((start + tried) % blocks) * blockSize;
    const lock = await listen(port);
    if (!lock) continue;
    // Stays open until the process ends, but does not keep it running
    lock.unref();
    return Array.from({ length: blockSize - 1 }, (_, index) => port + 1 + index);
  }
  throw new Error(`all ports from ${first} to ${first + blocks * blockSize} are taken`);
}

/**
 * The first port of the blocks. The blocks end where the ports for outgoing connections begin, if
 * there is enough room below.
 */
function firstPort(): number {
  const usual = 32_768;
  const lowest = Math.min(usual, lowestEphemeralPort() ?? usual);
  return Math.max(lowest - blocks * blockSize, 10_000);
}

function lowestEphemeralPort(): number | null {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    // Not Linux: the usual range is assumed
    return null;
  }
}

/**
 * Whether a server could listen on the port now. A program that does not use these blocks may have
 * taken it.
 */
export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (!server) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function listen(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
