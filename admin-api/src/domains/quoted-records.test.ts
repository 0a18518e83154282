import type { DnsCheck } from '@selvage/core/contracts/domain-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckedDomains, startCheckedDomains } from './test-checked-domains.ts';

let world: CheckedDomains;

beforeAll(async () => {
  world = await startCheckedDomains();
});

afterAll(() => world.stop());

async function check(domain: string): Promise<DnsCheck> {
  const { server, token } = world;
  const body = { domain, dkimSelectors: ['default'] };
  return (await server.call('POST', '/domain/check-dns', { token, body })).body.data as DnsCheck;
}

/** Forms of DNS providers that keep what others take as the way to write a text. */
const forms = [
  ['quotation marks', (text: string) => `"${text}"`],
  ['quotation marks and backslashes', (text: string) => `"${text.replaceAll(';', String.raw`\;`)}"`],
] as const;

describe.each(forms)('a record that a form has kept with %s', (_how, kept) => {
  it.each([
    ['spf', '', 'v=spf1 a:host.test include:mail.old.test -all'],
    ['dmarc', '_dmarc.', 'v=DMARC1; p=reject; rua=mailto:reports@mill.test'],
  ] as const)('is said to be unreadable, and not to be missing: %s', async (part, below, content) => {
    const name = await world.domainWith((own) => ({
      [own]: { TXT: ['v=spf1 a:host.test -all'], MX: [{ preference: 10, exchange: 'host.test' }] },
      [`${below}${own}`]: { TXT: [kept(content)], MX: [{ preference: 10, exchange: 'host.test' }] },
    }));
    const { problems } = await check(name);
    expect(problems.filter((problem) => problem.part === part)).toEqual([
      {
        part,
        level: 'error',
        text: expect.stringMatching(/has quotation marks or backslashes in its text, so receivers don’t read it/),
        record: { type: 'TXT', name: `${below}${name}`, content },
      },
    ]);
  });

  it('is said to be unreadable, and not to have another key: dkim', async () => {
    const { publicKey } = world;
    const name = await world.domainWith((own) => ({
      [`default._domainkey.${own}`]: { TXT: [[...(kept(`v=DKIM1; k=rsa; p=${publicKey}`).match(/.{1,250}/g) ?? [])]] },
    }));
    const [problem] = (await check(name)).problems.filter(({ part }) => part === 'dkim');
    expect(problem).toMatchObject({
      level: 'error',
      text: expect.stringMatching(/has quotation marks or backslashes in its text/),
      record: { content: expect.stringContaining(publicKey) },
    });
  });
});
