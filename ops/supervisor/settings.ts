import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mostProcesses, usualProcesses } from '@selvage/core/process/usual-processes';

/**
 * The settings that the supervisor itself needs. Each process checks its whole configuration by
 * itself.
 */
export interface Settings {
  /** The folder of the checkout. */
  root: string;
  dataDir: string;
  bindAddress: string;
  /** Where the HTTP port listens. */
  httpAddress: string;
  url: string;
  ports: Record<PortName, number>;
  /** Where the supervisor answers for the health and the metrics of programs. */
  healthAddress: string;
  /** How many processes each program has. */
  processes: Record<ProgramName, number>;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
}

const usualPorts = {
  HTTP_PORT: 8080,
  SMTP_PORT: 2525,
  SUBMISSION_PORT: 2587,
  SUBMISSIONS_PORT: 2465,
  INBOUND_HEALTH_PORT: 8081,
  SUBMISSION_HEALTH_PORT: 8082,
  WORKERS_HEALTH_PORT: 8083,
} as const;
export type PortName = keyof typeof usualPorts;

const programs = ['INBOUND', 'SUBMISSION', 'WORKERS', 'API'] as const;
export type ProgramName = (typeof programs)[number];

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The data directory alone, so that a host can be inspected and stopped even when another setting
 * is wrong.
 */
export function dataDirOf(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['SELVAGE_DATA'] || resolve(root, 'var'));
}

export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const ports = Object.fromEntries(
    Object.entries(usualPorts).map(([name, usual]) => [name, readPort(name, env[name], usual)]),
  ) as Record<PortName, number>;
  const bindAddress = env['BIND_ADDRESS'] || '127.0.0.1';
  return {
    root,
    dataDir: dataDirOf(env),
    bindAddress,
    httpAddress: env['HTTP_ADDRESS']?.trim() || bindAddress,
    url: env['SELVAGE_URL'] || `http://localhost:${ports.HTTP_PORT}`,
    ports,
    healthAddress: env['HEALTH_ADDRESS']?.trim() || '127.0.0.1',
    processes: Object.fromEntries(
      programs.map((name) => [name, readCount(`PROCESSES_${name}`, env[`PROCESSES_${name}`])]),
    ) as Record<ProgramName, number>,
    // Here it only matters whether the operator provides an engine. The processes read the file
    databaseUrl: env['DATABASE_URL'] || env['DATABASE_URL_FILE'] || undefined,
    redisUrl: env['REDIS_URL'] || env['REDIS_URL_FILE'] || undefined,
  };
}

function readPort(name: string, text: string | undefined, usual: number): number {
  const port = Number(text || usual);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`${name} is not a port: ${text}`);
  return port;
}

function readCount(name: string, text: string | undefined): number {
  const count = Number(text?.trim() || usualProcesses());
  if (!Number.isInteger(count) || count < 1 || count > mostProcesses)
    throw new Error(`${name} is not a number from 1 to ${mostProcesses}: ${text}`);
  return count;
}
