import { describe, expect, it } from 'vitest';
import { blankLine, lineHtml } from '../../../components/editor/editor-html.ts';
import { prefixSubject } from '../subject-prefix.ts';
import { answerRecipients, newPrefill } from './quoting.ts';

const own = 'ada@selvage.example';
const received = {
  sender_name: 'Anna',
  sender_email: 'anna@mills.example',
  recipient_emails_to: [own, 'bo@mills.example'],
  recipient_emails_cc: ['Cy <cy@mills.example>'],
  reply_to: [],
  send_status: false,
  received_status: true,
  subject: 'Lot',
  body: '',
  sheet: '',
  createdAt: '2026-11-21T12:00:00Z',
};

describe('prefixSubject', () => {
  it('does not double a prefix', () => {
    expect(prefixSubject('Re', 'RE: Lot')).toBe('RE: Lot');
    expect(prefixSubject('Fwd', 'Re: Lot')).toBe('Fwd: Re: Lot');
    expect(prefixSubject('Fwd', 'Fw: Lot')).toBe('Fw: Lot');
  });
  it.each([
    'AW: Lot',
    'SV: Lot',
    'Antw: Lot',
    'Antwort: Lot',
    'Odp: Lot',
    'Re[2]: Lot',
    'RE(3): Lot',
    'Re^2: Lot',
    'RE : Lot',
    '回复：Lot',
  ])('knows %j for an answer', (subject) => {
    expect(prefixSubject('Re', subject)).toBe(subject);
    expect(prefixSubject('Fwd', subject)).toBe(`Fwd: ${subject}`);
  });
  it.each(['WG: Lot', 'TR: Lot', 'VS: Lot', 'VL: Lot', '转发：Lot'])('knows %j for a forward', (subject) => {
    expect(prefixSubject('Fwd', subject)).toBe(subject);
    expect(prefixSubject('Re', subject)).toBe(`Re: ${subject}`);
  });
  it.each(['Report: Lot', 'Saw: Lot', 'Ref: Lot', 'R: Lot', 'Re the lot', 'Awe: Lot'])(
    'takes %j for no answer',
    (subject) => expect(prefixSubject('Re', subject)).toBe(`Re: ${subject}`),
  );
});

describe('answerRecipients', () => {
  it('answers the sender alone', () => {
    expect(answerRecipients(received, [own], false)).toEqual({ to: ['Anna <anna@mills.example>'], cc: [] });
  });
  it('answers all recipients but oneself', () => {
    const expected = {
      to: ['Anna <anna@mills.example>'],
      cc: ['bo@mills.example', 'Cy <cy@mills.example>'],
    };
    expect(answerRecipients(received, [own.toUpperCase()], true)).toEqual(expected);
  });
  it('takes an alias of the person for themselves', () => {
    const own = ['ada@selvage.example', 'bo@mills.example'];
    expect(answerRecipients(received, own, true).cc).toEqual(['Cy <cy@mills.example>']);
    const sent = { ...received, sender_email: 'Bo@mills.example', recipient_emails_to: ['anna@mills.example'] };
    expect(answerRecipients(sent, own, false).to).toEqual(['anna@mills.example']);
  });
  it('takes an own address with a tag for the person too, and two tags of another for two', () => {
    const tagged = ['Ada <Ada+Shop@selvage.example>', 'bo@mills.example'];
    const cc = ['bo+a@mills.example', 'bo+b@mills.example', 'bo+A@mills.example', 'ada+@selvage.example'];
    const email = { ...received, recipient_emails_to: tagged, recipient_emails_cc: cc };
    expect(answerRecipients(email, [own], true).cc).toEqual([
      'bo@mills.example',
      'bo+a@mills.example',
      'bo+b@mills.example',
    ]);
    const note = { ...email, sender_email: 'ada+notes@selvage.example', recipient_emails_cc: [] };
    expect(answerRecipients(note, [own], false).to).toEqual(['bo@mills.example']);
    const ownAlone = { ...note, recipient_emails_to: ['ada+shop@selvage.example'] };
    expect(answerRecipients(ownAlone, [own], true)).toEqual({ to: ['ada+shop@selvage.example'], cc: [] });
    expect(answerRecipients(email, ['ada+shop@selvage.example'], true).cc).not.toContain(tagged[0]);
  });
  it.each([false, true])('answers a note to oneself to oneself (to all: %s)', (isToAll) => {
    const note = { ...received, sender_email: own, recipient_emails_to: [own], recipient_emails_cc: [] };
    expect(answerRecipients(note, [own], isToAll)).toEqual({ to: [own], cc: [] });
  });
  it('leaves out names without an address', () => {
    const email = {
      ...received,
      recipient_emails_to: ['Undisclosed recipients <>', 'bo@mills.example'],
      reply_to: ['noreply <>'],
    };
    expect(answerRecipients(email, [own], true)).toEqual({
      to: ['Anna <anna@mills.example>'],
      cc: ['bo@mills.example', 'Cy <cy@mills.example>'],
    });
  });
  it('follows Reply-To', () => {
    const email = { ...received, reply_to: ['Sales <sales@mills.example>'] };
    expect(answerRecipients(email, [own], false).to).toEqual(['Sales <sales@mills.example>']);
  });
  it('goes on writing to the same people from a message one sent', () => {
    const written = { ...received, sender_email: own, recipient_emails_to: ['anna@mills.example'] };
    expect(answerRecipients(written, [own], false).to).toEqual(['anna@mills.example']);
    const ownReplyTo = { ...written, reply_to: [`Ada <${own}>`] };
    expect(answerRecipients(ownReplyTo, [own], false).to).toEqual(['anna@mills.example']);
    const sent = { ...written, send_status: true, reply_to: ['Sales <sales@mills.example>'] };
    expect(answerRecipients(sent, [own], false).to).toEqual(['anna@mills.example']);
    const fromFormerAlias = { ...sent, sender_email: 'former@selvage.example' };
    expect(answerRecipients(fromFormerAlias, [own], false).to).toEqual(['anna@mills.example']);
  });
  it('answers the visitor of a web site whose form writes from an address of the person', () => {
    const form = {
      ...received,
      sender_email: 'Info@selvage.example',
      recipient_emails_to: ['info@selvage.example'],
      recipient_emails_cc: ['cy@mills.example'],
      reply_to: ['Vera <vera@visitor.example>'],
    };
    const all = [own, 'info@selvage.example'];
    expect(answerRecipients(form, all, false)).toEqual({ to: ['Vera <vera@visitor.example>'], cc: [] });
    const expected = { to: ['Vera <vera@visitor.example>'], cc: ['cy@mills.example'] };
    expect(answerRecipients(form, all, true)).toEqual(expected);
  });
});

describe('a report whose sender has no address', () => {
  const report = { ...received, sender_name: 'Mail Delivery System', sender_email: '', recipient_emails_to: [own] };

  it('is answered without recipients, rather than to an empty address', () => {
    for (const isToAll of [false, true]) {
      expect(answerRecipients({ ...report, recipient_emails_cc: [] }, [own], isToAll)).toEqual({ to: [], cc: [] });
    }
    const all = answerRecipients(report, [own], true);
    expect(all).toEqual({ to: ['Cy <cy@mills.example>'], cc: [] });
    const named = { ...report, reply_to: ['help@mills.example'] };
    expect(answerRecipients(named, [own], false).to).toEqual(['help@mills.example']);
  });
});

describe('newPrefill', () => {
  it('is empty but for the signature', () => {
    const empty = `${blankLine}<div id="selvage-signature"></div>`;
    expect(newPrefill(undefined, '')).toEqual({ to: [], cc: [], bcc: [], subject: '', body: empty });
  });
  it('has the lines of a prepared text as they are, above the signature', () => {
    const { subject, body } = newPrefill({ subject: 'A <b>', text: 'one <img src=x>\n\n"two" & three' }, '<p>Ada</p>');
    expect(subject).toBe('A <b>');
    const lines = ['one &lt;img src=x&gt;', '<br>', '&quot;two&quot; &amp; three'].map((line) => lineHtml(line));
    expect(body.slice(0, lines.join('').length)).toBe(lines.join(''));
    expect(body.slice(lines.join('').length)).toContain('<p>Ada</p>');
  });
});
