import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dkimRecord, generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { signMessage } from '@selvage/core/mail/sign-message';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { stopAtEnd } from '../support/end-of-file.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { type PolicyServer, say, startPolicyServer, trustedAuthority } from '../support/policy-server.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let ana: Mailbox;
let page: Page;
let list: PolicyServer;
let privateKey: string;

beforeAll(async () => {
  const authority = trustedAuthority();
  list = await startPolicyServer(authority);
  const folder = await mkdtemp(join(tmpdir(), 'selvage-authority-'));
  stopAtEnd(() => rm(folder, { recursive: true }));
  const certificates = join(folder, 'authority.pem');
  await writeFile(certificates, authority.cert);
  host = await startTestHost({ REMOTE_CONTENT_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates });
  host.dns.addRecords('news.test', { TXT: ['v=spf1 ip4:127.0.0.1 -all'], A: ['127.0.0.1'], MX: [] });
  const key = await generateDkimKeyPair();
  privateKey = key.privateKeyPem;
  const record = dkimRecord(key.publicKeyBase64).match(/.{1,255}/g) ?? [];
  host.dns.addRecords('s._domainkey.news.test', { TXT: [record] });
  host.dns.addRecords('_dmarc.news.test', { TXT: ['v=DMARC1; p=none'] });
  ana = await buildMailbox(host.app);
  page = await (await openBrowser()).newPage();
  await signIn(page, host, ana);
});
afterAll(() => list.stop());

async function open(subject: string, headers: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const raw = plainMessage({ from: 'letter@news.test', to: ana.user.email, subject, headers });
  const message = signMessage(Buffer.from(raw), { domain: 'news.test', selector: 's', privateKey }) + raw;
  expect(await peer.deliver('letter@news.test', ana.user.email, message)).toMatch(/^250/);
  peer.close();
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText(subject, { exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: subject, exact: true }).waitFor();
}

describe('leaving a list in the browser', () => {
  it('is asked about, told to the sender, and said calmly when that fails', async () => {
    const address = `List-Unsubscribe: <https://news.test:${list.port}/out>`;
    await open('Yarn letter', `${address}\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click`);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByText('Unsubscribe from Foreign Sender?').waitFor();
    expect(list.asked).toEqual([]);
    expect(await problemsInAllLooks(page, 'unsubscribe')).toEqual({});
    list.answer = say('', {}, 500);
    await dialog.getByRole('button', { name: 'Unsubscribe' }).click();
    await page
      .getByText(/^news\.test did not take the request/)
      .first()
      .waitFor();
    list.answer = say('');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await dialog.getByRole('button', { name: 'Unsubscribe' }).click();
    await page
      .getByText(/^Foreign Sender was told/)
      .first()
      .waitFor();
    expect(list.asked).toEqual(['news.test', 'news.test']);
  });

  it('begins the message that the sender asks for', async () => {
    await open('Mail me out', 'List-Unsubscribe: <mailto:out@news.test?subject=Out%20please>');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByLabel('Message text').waitFor();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Out please');
    await page.getByText('out@news.test').first().waitFor();
  });
});

describe('mail of a list', () => {
  it('is answered to all of the list, at the address that it names', async () => {
    await open('Which loom?', 'List-Id: <weavers.news.test>\r\nList-Post: <mailto:weavers@news.test>');
    await page.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name: 'Reply to the list' }).click();
    await page.getByLabel('Message text').waitFor();
    const recipients = page.getByRole('list', { name: 'To: recipients' }).locator('[data-chip]');
    await expect.poll(() => recipients.allTextContents()).toEqual([expect.stringContaining('weavers@news.test')]);
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Re: Which loom?');
  });
});
