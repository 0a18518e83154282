import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import type { InvitationDto } from '@selvage/core/contracts/invitations';
import type { EmailDto } from '@selvage/core/contracts/email';
import { readInvitation } from '@selvage/core/mail/invitation';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { calendarOf, invitingParts } from '../../../tests/support/invitation.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

interface Given {
  uid: string;
  sequence?: number;
  attendee?: string;
  organiser?: string;
  method?: string;
}

async function receive({ uid, sequence = 0, attendee = person.user.email, organiser, method }: Given): Promise<string> {
  const event = [
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    'SUMMARY:Yarn fair',
    'DTSTART:20261201T100000Z',
    `ORGANIZER;CN=Ben:mailto:${organiser ?? 'ben@remote.test'}`,
    `ATTENDEE:mailto:carl@remote.test`,
    `ATTENDEE;CN=Me:mailto:${attendee}`,
  ];
  const { headers, body } = invitingParts(calendarOf(event, { ...(method && { method }) }), method);
  const to = person.user.email;
  const raw = Buffer.from(
    `From: Ben <ben@remote.test>\r\nTo: ${to}\r\nSubject: Fair\r\nMessage-ID: <${uid}-${sequence}@remote.test>\r\n${headers}\r\n\r\n${body}\r\n`,
  );
  const stored = await storeInbound(systemContext(server.app), {
    raw,
    envelopeFrom: 'ben@remote.test',
    recipients: [{ userId: String(person.user.id), companyId: String(person.company.id), address: to }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `mail-${randomBytes(6).toString('hex')}`,
  });
  return stored.entryIds[0] ?? '';
}

async function open(id: string): Promise<InvitationDto | null> {
  return ((await server.call('GET', `/mail/get/${id}`, { token })).body.data as EmailDto).invitation;
}

const answer = (id: string, value: string) =>
  server.call('POST', `/mail/invitation/${id}`, { token, body: { answer: value } });

/** The calendar files that were sent for an event, and to whom. */
async function sentAnswers(uid: string) {
  const entries = await MailboxEntry.findAll({ where: { userId: person.user.id, sendStatus: true }, order: ['id'] });
  const found = [];
  for (const { messageId } of entries) {
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const parsed = await parseMessage(await readSource(server.app, message), { keepContent: true });
    const calendar = parsed.attachments[0]?.content;
    const invitation = calendar && (await readInvitation(calendar));
    if (invitation?.uid !== uid) continue;
    const deliveries = await Delivery.findAll({ where: { messageId } });
    const stamp = /^DTSTAMP:(\S+)/m.exec(calendar?.toString() ?? '')?.[1] ?? '';
    found.push({ invitation, parsed, stamp, to: deliveries.map(({ recipient }) => recipient) });
  }
  return found;
}

describe('an invitation', () => {
  it('is shown, and its answer is mailed to the organiser once', async () => {
    const id = await receive({ uid: 'once' });
    expect(await open(id)).toMatchObject({
      method: 'request',
      title: 'Yarn fair',
      is_from_speaker: true,
      may_answer: true,
      answer: null,
      attendees: [
        { address: person.user.email, is_me: true },
        { address: 'carl@remote.test', is_me: false },
      ],
    });
    const both = await Promise.all([answer(id, 'accepted'), answer(id, 'accepted')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await answer(id, 'accepted')).body.data).toEqual({ answer: 'accepted', sent: false });
    const [mailed, ...more] = await sentAnswers('once');
    expect(more).toEqual([]);
    expect(mailed).toMatchObject({
      to: ['ben@remote.test'],
      invitation: { method: 'reply', sequence: 0, attendees: [{ address: person.user.email, answer: 'accepted' }] },
      parsed: { subject: 'Accepted: Yarn fair', inReplyTo: '<once-0@remote.test>' },
    });
    expect(await open(id)).toMatchObject({ answer: { value: 'accepted', is_earlier: false } });
    expect((await answer(id, 'declined')).body.data).toEqual({ answer: 'declined', sent: true });
    expect(await sentAnswers('once')).toHaveLength(2);
  });

  it('is answered otherwise by a later answer to the same version', async () => {
    const id = await receive({ uid: 'otherwise', sequence: 2 });
    for (const value of ['accepted', 'declined', 'tentative']) {
      expect((await answer(id, value)).body.data).toEqual({ answer: value, sent: true });
    }
    const mailed = await sentAnswers('otherwise');
    expect(mailed.map(({ invitation }) => [invitation.sequence, invitation.attendees[0]?.answer])).toEqual([
      [2, 'accepted'],
      [2, 'declined'],
      [2, 'tentative'],
    ]);
    const stamps = mailed.map(({ stamp }) => stamp);
    expect(stamps).toEqual([...new Set(stamps)].toSorted());
    expect(await open(id)).toMatchObject({ answer: { value: 'tentative', is_earlier: false }, may_answer: true });
  });

  it('may have a newer version, which alone counts then', async () => {
    const first = await receive({ uid: 'newer' });
    await answer(first, 'accepted');
    const second = await receive({ uid: 'newer', sequence: 1 });
    expect(await open(second)).toMatchObject({ is_update: true, answer: { value: 'accepted', is_earlier: true } });
    expect((await answer(second, 'accepted')).body.data).toMatchObject({ sent: true });
    expect(await open(first)).toMatchObject({ is_outdated: true, may_answer: false });
    expect((await answer(first, 'declined')).body).toMatchObject({ code: 'invitation_outdated' });
  });

  it('to an alias is answered as that alias', async () => {
    const alias = await buildAlias(person);
    const id = await receive({ uid: 'alias', attendee: alias.address });
    expect((await answer(id, 'tentative')).status).toBe(200);
    const [mailed] = await sentAnswers('alias');
    expect(mailed?.parsed.from?.address).toBe(alias.address);
    expect(mailed?.invitation.attendees).toMatchObject([{ address: alias.address, answer: 'tentative' }]);
  });

  it('asks only those who are invited, by the organiser', async () => {
    const others = await receive({ uid: 'others', attendee: 'dora@remote.test' });
    expect(await open(others)).toMatchObject({ may_answer: false });
    expect((await answer(others, 'accepted')).status).toBe(404);
    const cancelled = await receive({ uid: 'cancelled', method: 'CANCEL' });
    expect(await open(cancelled)).toMatchObject({ method: 'cancel', may_answer: false });
    expect((await answer(cancelled, 'accepted')).status).toBe(404);
    const odd = await receive({ uid: 'odd', organiser: 'else@remote.test' });
    expect(await open(odd)).toMatchObject({ is_from_speaker: false, may_answer: true });
    expect((await answer(odd, 'perhaps')).status).toBe(422);
    const answered = await receive({ uid: 'answered', method: 'REPLY' });
    expect(await open(answered)).toMatchObject({ method: 'reply', is_from_speaker: false });
  });
});
