import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@selvage/core/process/config';

/** Lines up to this many bytes are kept whole. */
export const longestLine = 262_144;

const templates = join(import.meta.dirname, '../../haraka');

/**
 * Writes Haraka's configuration for this start, since Haraka reads settings only from files.
 * Returns the folder that Haraka expects in the environment variable HARAKA.
 * @param member `memberId()`: no other living process of this host has it
 */
export async function writeHarakaConfig(config: Config, member: number): Promise<string> {
  const home = join(config.dataDir, 'run', `haraka-${member}`);
  const target = join(home, 'config');
  await rm(home, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const values: Record<string, string> = {
    LISTEN: `${config.bindAddress.includes(':') ? `[${config.bindAddress}]` : config.bindAddress}:${config.smtpPort}`,
    HOSTNAME: config.hostname,
    RUN_DIR: home,
    LONGEST_LINE: String(longestLine),
    TLS_KEY: join(config.dataDir, 'tls', 'key.pem'),
    TLS_CERT: join(config.dataDir, 'tls', 'cert.pem'),
    // RFC 7919's ffdhe2048. Without a file Haraka has openssl search for a prime, for up to 30
    // seconds
    DHPARAMS: join(templates, 'config', 'dhparams.pem'),
  };
  for (const name of await readdir(join(templates, 'config'))) {
    const text = await readFile(join(templates, 'config', name), 'utf8');
    await writeFile(
      join(target, name),
      text.replace(/\{\{([A-Z_]+)\}\}/g, (_all, key: string) => {
        const value = values[key];
        if (value === undefined) throw new Error(`${name} asks for {{${key}}}, which has no value`);
        return value;
      }),
    );
  }
  // Only this process needs the key. Without a key, any program on this machine could stop the
  // server by the command INTERNALCMD
  await writeFile(join(target, 'internalcmd_key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  await symlink(join(templates, 'plugins'), join(home, 'plugins'));
  return home;
}
