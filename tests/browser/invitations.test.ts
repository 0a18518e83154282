import { readFile } from 'node:fs/promises';
import { systemContext } from '@selvage/core/context/context';
import { readInvitation } from '@selvage/core/mail/invitation';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { calendarOf, invitingParts, outlookZone } from '../support/invitation.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { plainMessage } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let ben: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  ben = await buildMailbox(host.app, { tenant: ana });
  page = await (await openBrowser()).newPage();
  await signIn(page, host, ana);
});

async function invite(subject: string, method: string, more: string[]): Promise<void> {
  const event = [
    'UID:fair@test',
    'DTSTART;TZID=W. Europe Standard Time:20261208T100000',
    'DTEND;TZID=W. Europe Standard Time:20261208T113000',
    `ORGANIZER;CN=Ben Weber:mailto:${ben.user.email}`,
    'ATTENDEE;CN=Carl;PARTSTAT=DECLINED;ROLE=OPT-PARTICIPANT:mailto:carl@remote.test',
    `ATTENDEE;CN=Ana Test;RSVP=TRUE:mailto:${ana.user.email}`,
    ...more,
  ];
  const parts = invitingParts(calendarOf(event, { method, before: outlookZone }), method);
  const raw = Buffer.from(plainMessage({ from: ben.user.email, to: ana.user.email, subject, ...parts }));
  const recipients = [ana.user.email];
  await submitMessage(systemContext(host.app), { user: ben.user, raw, door: 'web', recipients, bcc: [] });
}

async function open(subject: string): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText(subject, { exact: true }).click();
}

const card = (name: string) => page.getByRole('region', { name, exact: true });

/** The answers that came to the organiser. */
async function answersToBen() {
  const entries = await MailboxEntry.findAll({ where: { userId: ben.user.id, receivedStatus: true } });
  const found = [];
  for (const { messageId } of entries) {
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const parsed = await parseMessage(await readSource(host.app, message), { keepContent: true });
    const file = parsed.attachments[0]?.content;
    const invitation = file && (await readInvitation(file));
    if (invitation) found.push({ ...invitation, subject: parsed.subject, from: parsed.from?.address });
  }
  return found;
}

describe('an invitation', () => {
  it('says what, when, where and with whom', async () => {
    await invite('Invitation: fair', 'REQUEST', [
      'SUMMARY:<b>Yarn</b> fair',
      'LOCATION:Hall 1\\, left',
      'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4',
    ]);
    await open('Invitation: fair');
    const invitation = card('Invitation');
    await invitation.getByRole('heading', { name: '<b>Yarn</b> fair' }).waitFor();
    const text = (await invitation.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/Tuesday, December 8, 2026.* 9:00 – 10:30 AM/);
    expect(text).toMatch(/Tue,? 10:00 AM for the organiser \(W\. Europe Standard Time\)/);
    expect(text).toContain('Every week on Tuesday, 4 times');
    expect(text).toContain('Hall 1, left');
    expect(text).toContain(`Ben Weber ${ben.user.email}`);
    await invitation.getByText('2 people are invited').click();
    await invitation.getByText('Carl (optional, declined)').waitFor();
    await invitation.getByText('Ana Test (you, no answer yet)').waitFor();
    // The card stands for the calendar file, which is not listed once more
    expect(await page.getByText('attachment-1.ics').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'invitation')).toEqual({});
  });

  it('is answered with one press, and the organiser hears it', async () => {
    await card('Invitation').getByRole('button', { name: 'Accept' }).click();
    await card('Invitation').getByText('You have accepted.').waitFor();
    await expect.poll(() => card('Invitation').getByRole('button', { name: 'Accept', pressed: true }).count()).toBe(1);
    await until('the organiser has the answer', async () => (await answersToBen()).length === 1, 30_000);
    expect(await answersToBen()).toMatchObject([
      {
        method: 'reply',
        uid: 'fair@test',
        subject: 'Accepted: <b>Yarn</b> fair',
        from: ana.user.email,
        attendees: [{ address: ana.user.email, answer: 'accepted' }],
        attendeeCount: 1,
      },
    ]);
    await page.goto(`${host.url}/dashboard/sent`);
    await page.getByRole('list', { name: 'Messages' }).getByText('Accepted: <b>Yarn</b> fair', { exact: true }).click();
    await card('Answer to an invitation')
      .getByText(/ has accepted\.$/)
      .waitFor();
    await open('Invitation: fair');
    await card('Invitation').getByText('You have accepted.').waitFor();
    expect(await problemsInAllLooks(page, 'invitation-answered')).toEqual({});
  });

  it('is answered otherwise afterwards, as often as the person likes', async () => {
    for (const [name, said] of [
      ['Decline', 'You have declined.'],
      ['Accept', 'You have accepted.'],
    ] as const) {
      await card('Invitation').getByRole('button', { name }).click();
      await card('Invitation').getByText(said).waitFor();
      await expect
        .poll(() => card('Invitation').getByRole('button', { pressed: true }).allInnerTexts())
        .toEqual([name]);
    }
    await until('the organiser has all answers', async () => (await answersToBen()).length === 3, 30_000);
    expect((await answersToBen()).map(({ attendees }) => attendees[0]?.answer).toSorted()).toEqual([
      'accepted',
      'accepted',
      'declined',
    ]);
  });

  it('can be taken into a calendar', async () => {
    const saved = page.waitForEvent('download');
    await card('Invitation').getByRole('button', { name: 'Add to calendar' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('invitation.ics');
    expect(await readFile(await file.path(), 'utf8')).toContain('UID:fair@test');
  });

  it('may change, or be called off', async () => {
    await invite('Updated: fair', 'REQUEST', ['SUMMARY:Fair', 'SEQUENCE:1']);
    await invite('Cancelled: fair', 'CANCEL', ['SUMMARY:Fair', 'SEQUENCE:2']);
    await until(
      'both have come',
      async () => (await MailboxEntry.count({ where: { userId: ana.user.id, receivedStatus: true } })) === 3,
    );
    await open('Updated: fair');
    await card('Updated invitation')
      .getByText(/^You had accepted an earlier version/)
      .waitFor();
    await open('Cancelled: fair');
    await card('Cancelled event').getByText('The organiser has called this event off.').waitFor();
    await expect.poll(() => card('Cancelled event').getByRole('button').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'invitation-cancelled')).toEqual({});
  });
});
