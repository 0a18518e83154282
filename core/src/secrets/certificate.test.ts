import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSelfSigned } from './self-signed-certificate.ts';
import { type Certificate, CertificateError, ensureCertificate, watchCertificate } from './certificate.ts';

let config: { dataDir: string; hostname: string };

beforeEach(async () => {
  config = { dataDir: await mkdtemp(join(tmpdir(), 'selvage-tls-')), hostname: 'mail.example.com' };
});

afterEach(async () => {
  await rm(config.dataDir, { recursive: true, force: true });
});

describe('the certificate', () => {
  it('is made at the first start for the host name and this machine, and kept', async () => {
    const made = await ensureCertificate(config);
    const certificate = new X509Certificate(made.cert);
    expect(certificate.checkHost('mail.example.com')).toBe('mail.example.com');
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect((await stat(join(config.dataDir, 'tls', 'key.pem'))).mode & 0o777).toBe(0o600);
    expect(await ensureCertificate(config)).toEqual(made);
  });

  it('is one and the same for processes that start at once', async () => {
    const made = await Promise.all([1, 2, 3].map(async () => await ensureCertificate(config)));
    expect(new Set(made.map((pair) => pair.key)).size).toBe(1);
  });

  it('is replaced without a restart, but only by a pair that fits', async () => {
    await ensureCertificate(config);
    const changed = Promise.withResolvers<Certificate>();
    const watcher = watchCertificate(config, changed.resolve);
    const next = await makeSelfSigned('other.example.com');
    await writeFile(join(config.dataDir, 'tls', 'cert.pem'), next.cert);
    await writeFile(join(config.dataDir, 'tls', 'key.pem'), next.key);
    expect(await changed.promise).toEqual(next);
    watcher.close();
  });

  it('is refused when key and certificate do not belong together', async () => {
    await ensureCertificate(config);
    await writeFile(join(config.dataDir, 'tls', 'cert.pem'), (await makeSelfSigned('other.example.com')).cert);
    await expect(ensureCertificate(config)).rejects.toThrow('do not belong together');
  });

  it('is refused by the name of the file that is wrong, and no key is made for one without', async () => {
    const { key, cert } = await ensureCertificate(config);
    const place = join(config.dataDir, 'tls');
    await writeFile(join(place, 'cert.pem'), 'DER, perhaps');
    await expect(ensureCertificate(config)).rejects.toThrow(`${place}/cert.pem is no certificate in PEM`);
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    await writeFile(join(place, 'cert.pem'), cert);
    await writeFile(join(place, 'key.pem'), locked);
    const noKey = `${place}/key.pem is no private key in PEM without a passphrase`;
    await expect(ensureCertificate(config)).rejects.toThrow(noKey);
    await rm(join(place, 'key.pem'));
    await expect(ensureCertificate(config)).rejects.toThrow(`there is a cert.pem in ${place}, but no key.pem`);
    expect(await readdir(place)).toEqual(['cert.pem']);
  });

  it('is refused by a sentence when there is a key alone that none can be made for', async () => {
    const place = join(config.dataDir, 'tls');
    await mkdir(place);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    await writeFile(join(place, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const refusal = ensureCertificate(config);
    await expect(refusal).rejects.toThrow(`there is a key.pem in ${place}, but no cert.pem`);
    await expect(refusal).rejects.toBeInstanceOf(CertificateError);
    expect(await readdir(place)).toEqual(['key.pem']);
  });

  it.each(['key.pem', 'cert.pem'])(
    'is refused by the name of the file when %s is a link that leads nowhere',
    async (name) => {
      await ensureCertificate(config);
      const place = join(config.dataDir, 'tls');
      await rm(join(place, name));
      await symlink(join(config.dataDir, 'certbot', name), join(place, name));
      const refusal = `${place}/${name} is a link to a file that does not exist`;
      await expect(ensureCertificate(config)).rejects.toThrow(refusal);
      expect((await readdir(place)).length).toBe(2);
    },
  );
});

describe('the self-signed certificate', () => {
  const dayMs = 86_400_000;

  /** Lets the clock of this process go on by some days. */
  function passDays(days: number): void {
    vi.setSystemTime(Date.now() + days * dayMs);
  }

  function endOf({ cert }: Certificate): number {
    return new X509Certificate(cert).validToDate.getTime();
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is renewed by a start in its last month, with the same key, and not before', async () => {
    const made = await ensureCertificate(config);
    passDays(794);
    expect(await ensureCertificate(config)).toEqual(made);
    passDays(2);
    const renewed = await ensureCertificate(config);
    expect(renewed.key).toBe(made.key);
    expect(endOf(renewed)).toBeGreaterThan(Date.now() + 800 * dayMs);
    expect(await ensureCertificate(config)).toEqual(renewed);
    expect((await readdir(join(config.dataDir, 'tls'))).toSorted()).toEqual(['cert.pem', 'key.pem']);
  });

  it('is renewed while the host runs', async () => {
    const made = await ensureCertificate(config);
    passDays(900);
    const changed = Promise.withResolvers<Certificate>();
    const watcher = watchCertificate(config, changed.resolve);
    vi.advanceTimersByTime(3_600_000);
    const renewed = await changed.promise;
    expect(renewed.key).toBe(made.key);
    expect(endOf(renewed)).toBeGreaterThan(Date.now() + 800 * dayMs);
    watcher.close();
  });

  it('is made anew when a wrong clock has put its begin into the future', async () => {
    passDays(3000);
    const made = await ensureCertificate(config);
    passDays(-3000);
    const renewed = await ensureCertificate(config);
    expect(endOf(renewed)).toBeLessThan(endOf(made));
    expect(new X509Certificate(renewed.cert).validFromDate.getTime()).toBeLessThan(Date.now());
  });

  it('is left alone where a link leads to it: the operator keeps it elsewhere', async () => {
    const made = await ensureCertificate(config);
    const [link, file] = [join(config.dataDir, 'tls', 'cert.pem'), join(config.dataDir, 'own.pem')];
    await rename(link, file);
    await symlink(file, link);
    passDays(820);
    expect(await ensureCertificate(config)).toEqual(made);
    expect(await readFile(file, 'utf8')).toBe(made.cert);
  });
});
