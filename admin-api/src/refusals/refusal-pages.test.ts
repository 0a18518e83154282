import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import type { TracedDto } from '@selvage/core/contracts/trace';
import { addLedgerRows, type LedgerEntry } from '@selvage/core/ledger/add-ledger-rows';
import { refusalCode, type ToldReason } from '@selvage/core/ledger/refusal-code';
import { newMailId } from '@selvage/core/mail/mail-id';
import { SecretsBox } from '@selvage/core/secrets/secrets-box';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Administrator, buildAdministrator } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { refusalTexts } from './page-texts.ts';

const hour = 3_600_000;
let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1', PUBLIC_SITE: 'off' } });
  admin = await buildAdministrator(server);
});

let networks = 0;
let address = '';
beforeEach(() => {
  networks += 1;
  address = `198.51.${networks}.7`;
});

const open = (code: string, method = 'GET', from = address) =>
  fetch(`${server.url}/r/${code}`, { method, headers: { 'x-forwarded-for': from } });

function codeOf(reason: ToldReason, mailId = newMailId()): string {
  return refusalCode(server.app.secrets, reason, mailId) ?? '';
}

async function refuse(recipient: string, entry: Partial<LedgerEntry> = {}): Promise<string> {
  const mailId = newMailId();
  const row: LedgerEntry = {
    companyId: null,
    messageId: null,
    mailId,
    direction: 'in',
    recipient,
    envelopeFrom: 'ann@remote.test',
    state: 'refused',
    reason: 'unknown_recipient',
    ...entry,
  };
  await addLedgerRows(systemContext(server.app), [row]);
  return row.mailId;
}

describe('the page of a refusal', () => {
  it('tells each reason and what to do, without an account and without a script', async () => {
    for (const reason of Object.keys(refusalTexts) as ToldReason[]) {
      const answer = await open(codeOf(reason));
      const page = await answer.text();
      expect([reason, answer.status]).toEqual([reason, 200]);
      expect(page).toContain(`<h1>${refusalTexts[reason].title}</h1>`);
      expect(page).toContain(refusalTexts[reason].why);
      expect(page).toContain('postmaster@host.test');
      expect(page).not.toMatch(/<script|\{size\}/);
      expect(page.match(/<li>/g)?.length).toBe(refusalTexts[reason].advice.length);
    }
  });

  it('is the same where the address was copied with a slash behind it', async () => {
    const code = codeOf('mailbox_full');
    const [plain, slashed] = await Promise.all([open(code), open(`${code}/`)]);
    expect([slashed.status, await slashed.text()]).toEqual([200, await plain.text()]);
  });

  it('is kept by no cache and no search engine, and frames and scripts nothing', async () => {
    const { headers } = await open(codeOf('timeout'));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('set-cookie')).toBeNull();
    const head = await open(codeOf('timeout'), 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await open(codeOf('timeout'), 'POST')).status).toBe(404);
  });

  it('says the hour in UTC', async () => {
    const today = new Date(Math.floor(Date.now() / hour) * hour - 24 * hour);
    const page = await (await open(codeOf('loop', newMailId(today.getTime() + 1000)))).text();
    const [from, day] = [today.getUTCHours(), today.getUTCDate()];
    expect(page).toMatch(new RegExp(`<dd>${day} \\w+ \\d{4}, between ${from}:00 and ${from + 1}:00 UTC</dd>`));
  });

  it('names the domain of the recipient where it is hosted, never the address', async () => {
    const name = `secret-${randomBytes(4).toString('hex')}`;
    const mailId = await refuse(`${name}@${admin.domain.domainName}`);
    const page = await (await open(codeOf('unknown_recipient', mailId))).text();
    expect(page).toContain(`<dt>Mail for</dt><dd>${admin.domain.domainName}</dd>`);
    expect(page).not.toContain(name);
    // Of another reason's row, and of several domains, nothing is told
    expect(await (await open(codeOf('mailbox_full', mailId))).text()).not.toContain('Mail for');
    await refuse('x@elsewhere.test', { mailId });
    expect(await (await open(codeOf('unknown_recipient', mailId))).text()).not.toContain('Mail for');
  });

  it('is the same for a deleted mailbox and for one that never was', async () => {
    const mailId = newMailId();
    const deleted = refusalCode(server.app.secrets, 'deleted_mailbox', mailId);
    expect(deleted).toBe(codeOf('unknown_recipient', mailId));
    const to = `a@${admin.domain.domainName}`;
    const [gone, never] = [await refuse(to, { reason: 'deleted_mailbox' }), await refuse(to)];
    const pages = [gone, never].map(async (id) => {
      const code = codeOf('unknown_recipient', id);
      return (await (await open(code)).text()).replaceAll(code, '');
    });
    const [one, other] = await Promise.all(pages);
    expect(one).toContain('Mail for');
    expect(one).toBe(other);
  });

  it('repeats no word of the sender', async () => {
    const evil = '"><script>alert(1)</script>';
    for (const recipient of [`x@${evil}.test`, `${evil}@call-0800-123.test`, evil]) {
      const mailId = await refuse(recipient, {
        reason: 'relay_denied',
        envelopeFrom: `${evil}@remote.test`,
        lastReply: `550 5.7.1 ${evil}`,
        remoteHost: evil,
      });
      const page = await (await open(codeOf('relay_denied', mailId))).text();
      expect(page).toContain(refusalTexts.relay_denied.title);
      expect(page).not.toMatch(/alert|0800|script/);
    }
  });
});

describe('a code that opens nothing', () => {
  it('gets one constant answer, whatever is wrong with it', async () => {
    const old = newMailId(Date.now() - 30 * 24 * hour - 60_000);
    const good = codeOf('mailbox_full');
    const foreign = refusalCode(new SecretsBox(randomBytes(32)), 'mailbox_full', newMailId()) ?? '';
    const forged = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`;
    const answers = await Promise.all(
      [codeOf('mailbox_full', old), foreign, forged, good.slice(0, -1), `${good}0`, '', 'x', '%00', '%ff', '<b>'].map(
        async (code) => {
          const answer = await open(code);
          const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(answer.headers);
          return JSON.stringify([answer.status, headers, await answer.text()]);
        },
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^\[404,.*There is nothing to explain here/);
  });

  it('is guessed sixty times a minute from one network, and others are not held up', async () => {
    const good = codeOf('mailbox_full');
    const statuses = new Map<number, number>();
    const letters = () => randomBytes(37).toString('hex').slice(0, 37);
    const inSameNetwork = (count: number) => address.replace(/\d+$/, String(count % 250));
    for (let batch = 0; batch < 20; batch += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, count) => open(letters(), 'GET', inSameNetwork(count))),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    expect([...statuses.keys()].toSorted()).toEqual([404, 429]);
    // A slow machine may begin another minute
    expect(statuses.get(404)).toBeLessThanOrEqual(180);
    const shut = await open(good);
    expect([shut.status, Number(shut.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await open(good, 'GET', '203.0.113.9')).status).toBe(200);
  });
});

describe('the search for a refused message', () => {
  it('takes the code, its address or the whole reply, also when its page is over', async () => {
    const old = newMailId(Date.now() - 40 * 24 * hour);
    const companyId = String(admin.company.id);
    const recipient = `full@${admin.domain.domainName}`;
    await refuse(recipient, { mailId: old, companyId, reason: 'mailbox_full' });
    const code = codeOf('mailbox_full', old);
    const page = `https://mail.host.test/r/${code}`;
    const reply = `452 4.2.2 The mailbox is full, try again later ${page}`;
    const find = async (as: Administrator, search: string) => {
      const { body } = await as.call('GET', `/trace/get/all?${new URLSearchParams({ search }).toString()}`);
      return (body.data as TracedDto[]).map((row) => row.recipient);
    };
    for (const search of [code, code.toUpperCase(), page, `<${page}>.`, reply]) {
      expect([search, await find(admin, search)]).toEqual([search, [recipient]]);
    }
    expect(await find(admin, `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`)).toEqual([]);
    expect(await find(await buildAdministrator(server), code)).toEqual([]);
  });
});
