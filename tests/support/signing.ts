import { authenticate } from 'mailauth';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { generateDkim } from '@selvage/core/jobs/generate-dkim';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { Tenant } from './factories.ts';
import type { ReachableHost } from './test-host.ts';
import { until } from './until.ts';

/**
 * Makes the workers generate the DKIM key of a domain, and publishes it on the test's DNS server.
 */
export async function prepareSigning(host: ReachableHost, tenant: Tenant): Promise<void> {
  const domainId = String(tenant.domain.id);
  await inTransaction(systemContext(host.app), (ctx) => enqueue(ctx, generateDkim, { domainId, selector: 'default' }));
  const key = await until('the DKIM key is made', () => DkimKey.findOne({ where: { domainId } }));
  host.dns.addRecords(`default._domainkey.${tenant.domain.domainName}`, {
    // A character-string of a TXT record holds at most 255 bytes (RFC 1035 3.3.14)
    TXT: [`v=DKIM1; k=rsa; p=${key.publicKey}`.match(/.{1,255}/g) ?? []],
  });
}

/**
 * Verifies the DKIM signatures of a message as a receiver would, with a different implementation
 * than the signer's.
 */
export async function verifySignatures(
  host: ReachableHost,
  raw: Buffer,
): Promise<{ result: string; domain: string }[]> {
  const { dkim } = await authenticate(raw, {
    ip: '127.0.0.1',
    helo: 'localhost',
    sender: '',
    mta: 'verifier.test',
    trustReceived: false,
    resolver: host.app.resolver.mailauthResolver,
  });
  return dkim.results.map((one) => ({ result: one.status.result, domain: one.signingDomain ?? '' }));
}
