import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePorts, isFree } from './free-ports.ts';

const program = `
  import { freePorts } from '${import.meta.dirname}/free-ports.ts';
  const ports = [];
  for (let time = 0; time < 10; time += 1) ports.push(...(await freePorts(3)));
  console.log(JSON.stringify(ports));
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
`;

/** Thirty ports of another process, which holds them until all are asked for. */
function startHolder(): { ports: Promise<number[]>; end(): void } {
  const running = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program]);
  const { child } = running;
  const ports = once(child.stdout ?? process.stdin, 'data').then(([text]) => JSON.parse(String(text)) as number[]);
  return { ports, end: () => child.stdin?.end() };
}

describe('free ports', () => {
  it('are given to one process only, and are never those of outgoing connections', async () => {
    const holders = Array.from({ length: 6 }, startHolder);
    const ports = (await Promise.all(holders.map((holder) => holder.ports))).flat();
    for (const holder of holders) holder.end();
    expect(ports).toHaveLength(180);
    expect(new Set(ports).size).toBe(180);
    const [lowest = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
    expect(Math.max(...ports)).toBeLessThan(lowest);
  });

  it('are never those that another program listens on, at any address', async () => {
    const [taken = 0] = await freePorts(1);
    const server = createServer().listen(taken);
    await once(server, 'listening');
    expect((server.address() as AddressInfo).port).toBe(taken);
    expect(await isFree(taken)).toBe(false);
    server.close();
    await once(server, 'close');
    expect(await isFree(taken)).toBe(true);
  });
});
