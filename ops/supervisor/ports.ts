import { createServer } from 'node:net';
import type { PortName, Settings } from './settings.ts';

/**
 * Returns one sentence for each port that can't be opened, so that the operator can change all of
 * them at once.
 */
export async function describeTakenPorts(settings: Settings): Promise<string[]> {
  const names = Object.keys(settings.ports) as PortName[];
  const problems = await Promise.all(
    names.map(async (name) => {
      const [address, variable] = listenerOf(name, settings);
      const code = await tryPort(settings.ports[name], address);
      return code && `${name}=${settings.ports[name]} on ${address}: ${explain(code, variable)}`;
    }),
  );
  return problems.filter((problem) => problem !== null);
}

/** The address at which a port is opened, and the variable that sets it. */
function listenerOf(name: PortName, { bindAddress, httpAddress, healthAddress }: Settings): [string, string] {
  if (name.endsWith('HEALTH_PORT')) return [healthAddress, 'HEALTH_ADDRESS'];
  if (name === 'HTTP_PORT' && httpAddress !== bindAddress) return [httpAddress, 'HTTP_ADDRESS'];
  return [bindAddress, 'BIND_ADDRESS'];
}

function explain(code: string, addressVariable: string): string {
  if (code === 'EADDRINUSE') return 'already in use; set another one';
  if (code === 'EACCES') return 'needs root, or a port above 1023';
  if (code === 'EADDRNOTAVAIL') return `this machine has no such address; set ${addressVariable}`;
  return code;
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host }, () => server.close(() => resolve(null)));
  });
}
