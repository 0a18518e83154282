import { randomBytes } from 'node:crypto';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { dkimRecord, generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { type DnsServer, startDnsServer, type Zone } from '../../../tests/support/dns-server.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type RemoteServer, startRemoteServer } from '../../../tests/support/remote-server.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { rules } from './rate-limits.ts';

/** Returns the DNS records that differ from those of a correct domain. */
export type Change = (name: string) => Zone;

/**
 * A host with a DNS server whose records a test writes, and an administrator who checks domains.
 */
export interface CheckedDomains {
  server: TestServer;
  dns: DnsServer;
  smtp: RemoteServer;
  token: string;
  /** Makes a domain with a key and correct records, some of which a test changes. */
  domainWith(change?: Change, key?: string): Promise<string>;
  publicKey: string;
  stop(): Promise<void>;
}

/** Splits a text into the strings of at most 255 bytes that a TXT record has. */
export const pieces = (text: string): string[] => text.match(/.{1,255}/g) ?? [];

export async function startCheckedDomains(): Promise<CheckedDomains> {
  const dns = await startDnsServer({ 'host.test': { A: ['127.0.0.1'] }, 'ns1.dns.test': { A: ['192.0.2.53'] } });
  const smtp = await startRemoteServer();
  const environment = {
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(smtp.port),
    DNS_BLOCKLISTS: 'bl.test',
    PUBLIC_SUBMISSION_PORT: '587',
    PUBLIC_SUBMISSIONS_PORT: '465',
  };
  const server = await startTestServer({ environment });
  const publicKey = (await generateDkimKeyPair()).publicKeyBase64;
  const admin = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
  const { token } = await server.signIn(admin.user.email, admin.password);
  // The tests of a file check more domains than one person may check in ten minutes
  await server.app.redis.set(`rate:${rules.check.name}:${admin.user.id}`, -1_000_000, 'EX', 86_400);
  const domainWith = async (change: Change = () => ({}), key = publicKey): Promise<string> => {
    const name = `mill${randomBytes(6).toString('hex')}.test`;
    const companyId = String(admin.company.id);
    const domain = await Domain.create({ companyId, domainName: name, verifiedAt: new Date() });
    const row = { companyId, domainId: String(domain.id), selector: 'default', privateKey: 'sealed' };
    await DkimKey.create({ ...row, publicKey: key });
    const zone = { ...goodZone(name, key), ...change(name) };
    for (const [owner, entry] of Object.entries(zone)) dns.addRecords(owner, entry);
    return name;
  };
  const stop = async (): Promise<void> => {
    await dns.stop();
    await smtp.stop();
  };
  return { server, dns, smtp, token, domainWith, publicKey, stop };
}

function goodZone(name: string, key: string): Zone {
  return {
    [name]: {
      A: ['192.0.2.10'],
      NS: ['ns1.dns.test'],
      SOA: [{ mname: 'ns1.dns.test', rname: 'admin.dns.test', serial: 7, refresh: 1, retry: 2, expire: 3, minimum: 4 }],
      MX: [{ preference: 10, exchange: 'host.test' }],
      TXT: ['v=spf1 a:host.test -all', 'something else'],
    },
    [`_dmarc.${name}`]: { TXT: ['v=DMARC1; p=reject; rua=mailto:d@x.test'] },
    [`default._domainkey.${name}`]: { TXT: [pieces(dkimRecord(key))] },
  };
}
