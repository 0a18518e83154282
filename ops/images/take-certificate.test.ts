import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, 'take-certificate.sh');

/** Runs the script until its first line, and answers that line. */
async function firstLine(env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('sh', [script], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).once('line', (line) => child.emit('said', line));
    }
    return await new Promise((resolve) => child.once('said', resolve));
  } finally {
    child.kill('SIGTERM');
  }
}

it.each(['mail.example.test', 'Mail.Example.TEST'])(
  'the mail doors get the certificate of a host that is named %s',
  async (hostname) => {
    const folder = mkdtempSync(join(tmpdir(), 'selvage-certificate-'));
    try {
      const [storage, data] = [join(folder, 'caddy'), join(folder, 'data')];
      // Caddy writes the names of its folders in lower case
      const place = join(storage, 'caddy/certificates/some-authority/mail.example.test');
      mkdirSync(place, { recursive: true });
      for (const kind of ['crt', 'key']) writeFileSync(join(place, `mail.example.test.${kind}`), kind);
      const line = await firstLine({ CADDY_STORAGE: storage, SELVAGE_DATA: data, SELVAGE_HOSTNAME: hostname });
      expect(line).toBe(`took ${join(place, 'mail.example.test.crt')}`);
      const written = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(data, 'tls', name), 'utf8'));
      expect(written).toEqual(['crt', 'key']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
