import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { longestWithPictures } from '../contracts/mail.ts';
import { readRows } from '../database/run-sql.ts';
import { receiveFiles } from '../mailstore/test-messages.ts';
import { Draft } from '../models/draft.ts';
import { ImageSender } from '../models/image-sender.ts';
import { User } from '../models/user.ts';
import { addReminder } from '../outbound/answer-reminders.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { dayMs } from '../utc-day.ts';
import { restoreCompany } from './restore-company.ts';
import { archiveCompany, eraseCompany } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await startTestApp(await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' }));
  ctx = systemContext(app);
});

/** Archives, erases and restores the company of a person. Answers its new id. */
async function restoreGone(person: Mailbox): Promise<string> {
  const path = await archiveCompany(ctx, person);
  await eraseCompany(ctx, person);
  return (await restoreCompany(ctx, { path })).companyId;
}

const ownerOf = ({ company, user }: Mailbox) => ({ companyId: String(company.id), userId: String(user.id) });

/** Sends a message whose sender wants to be reminded of it. */
async function sendAndWait(person: Mailbox, subject: string, remindAt: Date): Promise<void> {
  const header = [`From: ${person.user.email}`, 'To: b@remote.test', `Subject: ${subject}`];
  const raw = Buffer.from([...header, '', 'When?', ''].join('\r\n'));
  const { entryId } = await submitMessage(ctx, { user: person.user, raw, door: 'web', bcc: [] });
  await addReminder(ctx, { userId: String(person.user.id), entryId, at: remindAt });
}

describe('what a person has again after the restore of their company', { timeout: 120_000 }, () => {
  it('are their choices, but for what only another version can read', async () => {
    const ana = await buildMailbox(app);
    const choices = { theme: 'dark', grouped: false, page_sizes: { users: 50 } };
    await ana.user.update({ choices: { ...choices, density: 'of another version' } });
    const companyId = await restoreGone(ana);
    expect(await User.findOne({ where: { companyId } })).toMatchObject({ choices });
  });

  it('are senders whose pictures they see, however long the From is', async () => {
    const ana = await buildMailbox(app);
    const address = `${'a'.repeat(300)}@sender.test`;
    await ImageSender.create({ ...ownerOf(ana), address });
    const companyId = await restoreGone(ana);
    expect(await ImageSender.findAll({ where: { companyId } })).toMatchObject([{ address }]);
  });

  it('are their reminders, none of which comes before the answers can be there', async () => {
    const ana = await buildMailbox(app);
    const later = new Date(Date.now() + 30 * dayMs);
    const soon = new Date(Date.now() + 60_000);
    await sendAndWait(ana, 'Later', later);
    await sendAndWait(ana, 'Soon', soon);
    const begin = Date.now();
    const companyId = await restoreGone(ana);
    const rows = await readRows<{ subject: string; dueAt: Date }>(
      ctx,
      `SELECT m.subject, r.due_at AS dueAt FROM answer_reminders r JOIN mailbox_entries e ON e.id = r.entry_id
         JOIN messages m ON m.id = e.message_id WHERE e.company_id = ? ORDER BY m.subject`,
      [companyId],
    );
    expect(rows.map(({ subject }) => subject)).toEqual(['Later', 'Soon']);
    expect(rows[0]?.dueAt).toEqual(later);
    expect(Number(rows[1]?.dueAt)).toBeGreaterThanOrEqual(begin + dayMs);
  });
});

describe('the draft of an answer', { timeout: 120_000 }, () => {
  const gif = Buffer.from('GIF89a the picture');
  const address = `data:image/gif;base64,${gif.toString('base64')}`;

  /** Archives and restores a draft that quotes the picture of a message. Answers its text. */
  async function restoreDraft(bodyOf: (word: string) => string): Promise<string> {
    const ana = await buildMailbox(app);
    const { entryIds } = await receiveFiles(ctx, [ana], [['logo.gif', gif]]);
    const lists = { toList: ['b@remote.test'], ccList: [], bccList: [] };
    const body = bodyOf(`cid:quoted.${entryIds[0]}.0`);
    await Draft.create({ ...ownerOf(ana), ...lists, subject: 'Re: See', body });
    const companyId = await restoreGone(ana);
    return (await Draft.findOne({ where: { companyId }, rejectOnEmpty: true })).body;
  }

  it('has the pictures of the message that it quotes', async () => {
    const body = await restoreDraft((word) => `<p>As here:</p><img src="${word}"><img src="cid:quoted.999999.0">`);
    expect(body).toContain(`<img src="${address}" />`);
    expect(body).not.toContain('cid:quoted');
  });

  it('does not become too long to be saved again', async () => {
    const words = 'x'.repeat(longestWithPictures - address.length - 20);
    const body = await restoreDraft((word) => `<p>${words}</p><img src="${word}">`);
    expect(body).not.toContain(address);
    expect(body.length).toBeLessThan(longestWithPictures + 100);
  });
});
