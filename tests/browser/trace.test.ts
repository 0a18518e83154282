import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { addLedgerRows, type LedgerEntry } from '@selvage/core/ledger/add-ledger-rows';
import { inboundOf, rawMessage } from '@selvage/core/mailstore/test-messages';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Delivery } from '@selvage/core/models/delivery';
import { UserPermission } from '@selvage/core/models/user-permission';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { prepareSigning } from '../support/signing.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const mark = randomBytes(4).toString('hex');

let host: TestHost;
let mill: Tenant;
let admin: Mailbox;
let page: Page;
let staff: Page;

beforeAll(async () => {
  host = await startWebHost();
  mill = await buildCompany(host.app, { name: `Ambika Cotton Mills ${mark}` });
  admin = await buildMailbox(host.app, { tenant: mill, roleNumber: builtInRole.admin });
  page = await openTab(host, admin);
  const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
  staff = await openTab(host, await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
});

const hostile = `<img src=x onerror="document.title='hacked'">\u202egnp.exe\u0000`;

/** A row of the company's ledger. */
const row = (overrides: Partial<LedgerEntry>): LedgerEntry => ({
  companyId: String(mill.company.id),
  messageId: null,
  mailId: `ID${randomBytes(6).toString('hex')}`,
  direction: 'out',
  recipient: `buyer@${mark}.example`,
  envelopeFrom: admin.user.email,
  state: 'relayed',
  reason: 'remote_accepted',
  lastReply: '250 2.0.0 Ok: queued as 4FzJ',
  remoteHost: `mx.${mark}.example`,
  ...overrides,
});

const ledger = (rows: LedgerEntry[]) => addLedgerRows(systemContext(host.app), rows);

describe('where a message went', { timeout: 120_000 }, () => {
  it('says that there is nothing while there is nothing', async () => {
    await page.goto(`${host.url}/dashboard/trace`);
    await page.getByText('No mail yet').waitFor();
    expect(await problemsInAllLooks(page, 'trace-empty')).toEqual({});
  });

  it('is found by address and state, and opens its story by keyboard', async () => {
    const authentication = {
      spf: { result: 'pass', domain: 'sender.test' },
      dkim: [{ result: 'pass', domain: 'sender.test', selector: 's' }],
      dmarc: { result: 'pass', policy: 'reject' as const, domain: 'sender.test' },
      arc: null,
      header: '',
      temporaryFailure: false,
    };
    const traceHeaders =
      'Received: from mx.sender.test ([192.0.2.1])\r\n\tby host.test with ESMTPS id x1 (TLSv1.3);\r\n\tnow\r\n';
    const input = inboundOf(rawMessage({ messageId: `<wool-${mark}@writer.test>` }), [admin]);
    await storeInbound(systemContext(host.app), { ...input, authentication, traceHeaders });
    await ledger([
      row({}),
      row({ recipient: `longname${'x'.repeat(80)}@${'sub.'.repeat(20)}${mark}.example` }),
      row({ recipient: `=cmd@${mark}.example`, state: 'bounced', reason: 'remote_refused', lastReply: hostile }),
      row({
        direction: 'in',
        state: 'refused',
        reason: 'unknown_recipient',
        recipient: '',
        answers: 312,
        envelopeFrom: '',
      }),
    ]);
    await page.reload();
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await rows.nth(4).waitFor();
    expect(await problemsInAllLooks(page, 'trace-list')).toEqual({});
    await page.getByLabel('Address, domain or Message-ID').fill(`<wool-${mark}@writer.test>`);
    await until('the list is narrowed', async () => (await rows.count()) === 1);
    await rows.nth(0).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Message for ${admin.user.email}` }).waitFor();
    const steps = page.getByRole('list').filter({ hasText: 'Arrived from' }).getByRole('listitem');
    await expect
      .poll(() => steps.allInnerTexts())
      .toEqual([
        expect.stringContaining('Arrived from mx.sender.test (192.0.2.1), over an encrypted connection.'),
        expect.stringContaining('The checks prove its sender.'),
        expect.stringContaining('Delivered to the mailbox.'),
      ]);
    await page.getByText('SPF pass (sender.test) · DKIM pass (sender.test) · DMARC pass (reject)').waitFor();
    expect(await problemsInAllLooks(page, 'trace-story')).toEqual({});
    await page.goBack();
    await page.getByLabel('State').selectOption({ label: 'Not delivered' });
    await page.getByText('No message found').waitFor();
    await page.getByRole('button', { name: 'Clear' }).first().click();
  });

  it('tells of a refusal how it was offered and what was checked, with the words of the wire beside', async () => {
    const messageIdHeader = `<forged-${mark}@strict.test>`;
    const arrival = {
      helo: 'mx.forger.test',
      address: '192.0.2.66',
      protocol: 'ESMTPS',
      isEncrypted: true,
      tls: 'TLSv1.3',
    };
    const checks = {
      spf: { result: 'fail', domain: 'strict.test' },
      dkim: [],
      dmarc: { result: 'fail', policy: 'reject' as const },
    };
    const refused = { direction: 'in', state: 'refused', reason: 'dmarc_reject', recipient: admin.user.email } as const;
    const lastReply = '550 5.7.1 The message fails DMARC, and the policy of strict.test is to reject it';
    const facts = { arrival, checks, placement: null };
    await ledger([row({ ...refused, envelopeFrom: 'boss@strict.test', lastReply, messageIdHeader, facts })]);
    await page.goto(`${host.url}/dashboard/trace?search=${encodeURIComponent(messageIdHeader)}`);
    await page.getByRole('link').filter({ hasText: 'boss@strict.test' }).click();
    await page.getByText('mx.forger.test (192.0.2.66) offered it, over an encrypted connection.').waitFor();
    await page.getByText('mx.forger.test · 192.0.2.66 · ESMTPS · TLSv1.3').waitFor();
    await page.getByText('The checks failed: it may not be from the sender that it shows.').waitFor();
    await page.getByText('SPF fail (strict.test) · DKIM none · DMARC fail (reject)').waitFor();
    await page.getByText(lastReply).waitFor();
    expect(await problemsInAllLooks(page, 'trace-refused')).toEqual({});
  });

  it('shows the words of strangers as text', async () => {
    await page.goto(`${host.url}/dashboard/trace?state=bounced`);
    await page.getByRole('link').filter({ hasText: admin.user.email }).click();
    await page.getByText(String.raw`\u202egnp.exe\u0000`).waitFor();
    await page
      .getByText('Not delivered: the other server refused it. The sender gets a report while the mailbox exists.')
      .waitFor();
    await expect.poll(() => page.title()).not.toContain('hacked');
    expect(await problemsInAllLooks(page, 'trace-bounced')).toEqual({});
  });

  it('takes days, of which one that cannot be leads nowhere', async () => {
    await page.goto(`${host.url}/dashboard/trace`);
    await page.getByLabel('First day').fill('2020-01-31');
    await page.getByLabel('Last day').fill('2020-02-01');
    await page.getByText('No message found').waitFor();
    await page.getByLabel('First day').fill('2020-03-01');
    await page.getByText('The first day must be before the last one').waitFor();
    await page.getByRole('button', { name: 'Clear' }).first().click();
    await page.getByRole('row').nth(3).waitFor();
    await expect.poll(() => page.getByLabel('First day').inputValue()).toBe('');
  });

  it('is exported without formulas', async () => {
    await page.goto(`${host.url}/dashboard/trace?search=${encodeURIComponent(`${mark}.example`)}`);
    await page.getByRole('row').nth(2).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain(`'=cmd@${mark}.example`);
    expect(text.split('\r\n')[0]).toContain('Sender');
  });

  it('is not shown to the administrator of another company, by a search or by the address of the story', async () => {
    const other = await buildMailbox(host.app, { roleNumber: builtInRole.admin });
    const [id] = await ledger([row({ recipient: `secret@${mark}.example` })]);
    const theirs = await openTab(host, other);
    await theirs.goto(`${host.url}/dashboard/trace?search=${mark}.example`);
    await theirs.getByText('No message found').waitFor();
    await theirs.goto(`${host.url}/dashboard/trace/${id}`);
    await theirs.getByText('This is no longer here').waitFor();
    await expect.poll(() => theirs.getByRole('main').innerText()).not.toContain('secret');
    await page.goto(`${host.url}/dashboard/trace/${id}`);
    await page.getByRole('heading', { name: `Message for secret@${mark}.example` }).waitFor();
    await theirs.close();
  });

  it('is full for the provider, with the company of each row', async () => {
    await ledger(Array.from({ length: 200 }, (_, n) => row({ recipient: `buyer-${n}@many-${mark}.example` })));
    await staff.goto(`${host.url}/dashboard/trace?search=many-${mark}.example&limit=80`);
    await staff.getByRole('row').nth(60).waitFor();
    await staff.getByText(`Ambika Cotton Mills ${mark}`).first().waitFor();
    expect(await problemsInAllLooks(staff, 'trace-full')).toEqual({});
  });
});

describe('the queue', { timeout: 120_000 }, () => {
  const waits: Partial<LedgerEntry> = {
    state: 'queued',
    reason: 'remote_deferred',
    lastReply: '451 4.7.1 try again later',
    nextAttemptAt: new Date(Date.now() + 3_600_000),
  };

  it('says that nothing waits', async () => {
    await page.goto(`${host.url}/dashboard/queue`);
    await page.getByText('Nothing waits', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'queue-empty')).toEqual({});
  });

  it('holds and releases what waits for a domain, and shows its messages', async () => {
    await ledger([
      ...[1, 2].map((n) => row({ ...waits, recipient: `slow${n}@slow-${mark}.example` })),
      row({ ...waits, recipient: `a@away-${mark}.example`, reason: 'connection_failed', lastReply: hostile }),
    ]);
    await page.reload();
    const slow = page.getByRole('row').filter({ hasText: `slow-${mark}.example` });
    await slow.waitFor();
    expect(await problemsInAllLooks(page, 'queue')).toEqual({});
    const away = page.getByText('the other server could not be reached');
    // A reason that is longer than its column ends in dots, and is shown in full when pointed at
    expect(await away.evaluate((part) => part.ownerDocument.defaultView?.getComputedStyle(part).textOverflow)).toBe(
      'ellipsis',
    );
    expect(await away.getAttribute('title')).toBe(await away.textContent());
    const choose = async (item: string): Promise<void> => {
      await slow.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Hold');
    await page.getByText('2 messages are held').first().waitFor();
    await slow.getByText('Held', { exact: true }).waitFor();
    await slow.getByText('an administrator holds it back').waitFor();
    await choose('Show the messages');
    await page.getByRole('link').filter({ hasText: admin.user.email }).first().click();
    await page.getByText('Held: an administrator holds it back.').waitFor();
    expect(await problemsInAllLooks(page, 'queue-story')).toEqual({});
    const question = page.getByRole('alertdialog', { name: 'Give up?' });
    await page.getByRole('button', { name: 'Give up' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Give up' }).click();
    await question.getByRole('button', { name: 'Give up' }).click();
    await page.getByText('Not delivered: an administrator stopped trying.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Release' }).count()).toBe(0);
  });

  const group = (domain: string) => page.getByRole('row').filter({ hasText: domain });
  async function choose(domain: string, item: string): Promise<void> {
    await group(domain).getByRole('button').click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  it('tries what waits for a domain at once, which then leaves the queue', async () => {
    const domain = `mended-${mark}.example`;
    host.dns.addRecords(domain, { MX: [{ preference: 10, exchange: 'mx.remote.test' }] });
    await prepareSigning(host, admin);
    const raw = Buffer.from(`From: ${admin.user.email}\r\nTo: m@${domain}\r\nSubject: bales\r\n\r\ntext\r\n`);
    const { messageId } = await storeInbound(systemContext(host.app), inboundOf(raw, [admin]));
    await ledger([1, 2].map((n) => row({ ...waits, messageId, recipient: `m${n}@${domain}` })));
    await page.goto(`${host.url}/dashboard/queue`);
    await choose(domain, 'Retry now');
    await page.getByText('2 messages are being tried now').first().waitFor();
    const arrived = () => host.remote.received.flatMap(({ to }) => to).filter((to) => to.endsWith(domain));
    await until('both have arrived', () => arrived().length === 2);
    await page.reload();
    await group(`away-${mark}.example`).waitFor();
    await expect.poll(() => group(domain).count()).toBe(0);
  });

  it('releases what is held for a domain, which then leaves', async () => {
    const domain = `held-${mark}.example`;
    host.dns.addRecords(domain, { MX: [{ preference: 10, exchange: 'mx.remote.test' }] });
    await prepareSigning(host, admin);
    const raw = Buffer.from(`From: ${admin.user.email}\r\nTo: h@${domain}\r\nSubject: yarn\r\n\r\ntext\r\n`);
    const { messageId } = await storeInbound(systemContext(host.app), inboundOf(raw, [admin]));
    await ledger([1, 2].map((n) => row({ ...waits, messageId, recipient: `h${n}@${domain}` })));
    await page.goto(`${host.url}/dashboard/queue`);
    await choose(domain, 'Hold');
    await group(domain).getByText('Held', { exact: true }).waitFor();
    await choose(domain, 'Release');
    await page.getByText('2 messages are released').first().waitFor();
    const arrived = () => host.remote.received.flatMap(({ to }) => to).filter((to) => to.endsWith(domain));
    await until('both have arrived', () => arrived().length === 2);
    await page.reload();
    await group(`away-${mark}.example`).waitFor();
    await expect.poll(() => group(domain).count()).toBe(0);
  });

  it('gives up what waits for one domain after a question, and nothing else', async () => {
    const domain = `away-${mark}.example`;
    const left = `left-${mark}.example`;
    await ledger([row({ ...waits, recipient: `a@${left}` })]);
    await page.goto(`${host.url}/dashboard/queue`);
    await choose(domain, 'Give up…');
    const question = page.getByRole('alertdialog', { name: 'Give up 1 message?' });
    await question.getByText(`This applies to mail that waits for ${domain} for this reason: `).waitFor();
    expect(await problemsInAllLooks(page, 'queue-give-up')).toEqual({});
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await group(domain).waitFor();
    await choose(domain, 'Give up…');
    await question.getByRole('button', { name: 'Give up' }).click();
    await page.getByText('1 message was given up').first().waitFor();
    await expect.poll(() => group(domain).count()).toBe(0);
    await group(left).waitFor();
    const states = (name: string) =>
      Delivery.findAll({ where: { recipientDomain: name }, attributes: ['state', 'reason'] });
    expect(await states(domain)).toMatchObject([{ state: 'bounced', reason: 'given_up' }]);
    expect(await states(left)).toMatchObject([{ state: 'queued' }]);
  });

  it('changes all that waits for a domain for several reasons, where the row says so', async () => {
    const domain = `mixed-${mark}.example`;
    const reasons = ['remote_deferred', 'timeout'] as const;
    await ledger(reasons.map((reason) => row({ ...waits, reason, recipient: `a@${domain}` })));
    await page.goto(`${host.url}/dashboard/queue`);
    const timedOut = group(domain).filter({ hasText: 'did not answer in time' });
    const chooseOf = async (item: string): Promise<void> => {
      await timedOut.getByRole('button').click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await chooseOf('Hold');
    await page.getByText('1 message is held').first().waitFor();
    await group(domain).filter({ hasText: 'an administrator holds it back' }).waitFor();
    await group(domain).filter({ hasText: 'asked to try again later' }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Give up all for this domain…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Give up all 2 messages?' });
    await question.getByText(`This applies to all mail that waits for ${domain}, whatever the reason.`).waitFor();
    await question.getByRole('button', { name: 'Give up' }).click();
    await page.getByText('2 messages were given up').first().waitFor();
    await expect.poll(() => group(domain).count()).toBe(0);
  });

  it('is seen but not changed without the right to edit domains, and ends at the border of a company', async () => {
    const colleague = await buildMailbox(host.app, { tenant: mill });
    const { id: userId, companyId } = colleague.user;
    const flags = { canView: true, canCreate: false, canEdit: false, canDelete: false };
    await UserPermission.create({ companyId, userId: String(userId), model: 'permission', ...flags });
    const reading = await openTab(host, colleague);
    await reading.goto(`${host.url}/dashboard/queue`);
    await reading
      .getByRole('row')
      .filter({ hasText: `left-${mark}.example` })
      .getByRole('button')
      .click();
    await reading.getByRole('menuitem', { name: 'Show the messages' }).waitFor();
    expect(await reading.getByRole('menuitem').count()).toBe(1);
    await reading.close();
    const other = await openTab(host, await buildMailbox(host.app, { roleNumber: builtInRole.admin }));
    await other.goto(`${host.url}/dashboard/queue`);
    await other.getByText('Nothing waits', { exact: true }).waitFor();
    await other.close();
  });
});
