import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { calendarOf, outlookZone } from '../../../tests/support/invitation.ts';
import { readInvitation } from './invitation.ts';
import { composeInvitationReply } from './invitation-reply.ts';
import { show } from './message-tasks.ts';
import { parseMessage } from './parse-message.ts';

const read = (event: string[], more: Parameters<typeof calendarOf>[1] = {}) =>
  readInvitation(Buffer.from(calendarOf(['UID:one@remote.test', ...event], more)));
/** The zone `Z`, with so many equal changes of the clocks. */
const zoneOf = (change: string[], changes = 1) => [
  'BEGIN:VTIMEZONE',
  'TZID:Z',
  ...Array.from({ length: changes }, () => ['BEGIN:STANDARD', ...change, 'END:STANDARD']).flat(),
  'END:VTIMEZONE',
];
const people = [
  'ORGANIZER;CN="Weber, Ben":MAILTO:Ben@Remote.test',
  'ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED:mailto:ana@host.test',
  'ATTENDEE;ROLE=OPT-PARTICIPANT:mailto:carl@host.test',
  'ATTENDEE:urn:uuid:1234',
];

describe('an invitation', () => {
  it('has its people, its words and its sequence', async () => {
    expect(
      await read([...people, 'SUMMARY:Yarn <b>fair</b>\\nof\u202e spring', 'LOCATION:Hall 1\\, left', 'SEQUENCE:2']),
    ).toMatchObject({
      method: 'request',
      uid: 'one@remote.test',
      sequence: 2,
      title: 'Yarn <b>fair</b> of spring',
      where: 'Hall 1, left',
      organiser: { name: 'Weber, Ben', address: 'ben@remote.test' },
      attendees: [
        { name: 'Ana', address: 'ana@host.test', answer: 'accepted', isOptional: false },
        { name: '', address: 'carl@host.test', answer: 'needs-action', isOptional: true },
      ],
      attendeeCount: 3,
    });
  });

  it.each([
    ['DTSTART:20260715T080000Z', '2026-07-15T08:00:00.000Z', null],
    ['DTSTART;TZID=W. Europe Standard Time:20260715T100000', '2026-07-15T08:00:00.000Z', 'W. Europe Standard Time'],
    ['DTSTART;TZID=W. Europe Standard Time:20261215T100000', '2026-12-15T09:00:00.000Z', 'W. Europe Standard Time'],
    ['DTSTART;TZID=America/New_York:20261101T013000', '2026-11-01T05:30:00.000Z', 'America/New_York'],
    ['DTSTART;TZID=America/New_York:20260308T023000', '2026-03-08T07:30:00.000Z', 'America/New_York'],
    ['DTSTART;TZID=Europe/Berlin:20260329T023000', '2026-03-29T01:30:00.000Z', 'Europe/Berlin'],
    ['DTSTART;TZID=Europe/Berlin:20261025T023000', '2026-10-25T00:30:00.000Z', 'Europe/Berlin'],
    ['DTSTART;TZID=W. Europe Standard Time:20260329T023000', '2026-03-29T01:30:00.000Z', 'W. Europe Standard Time'],
    ['DTSTART;TZID=W. Europe Standard Time:20260329T030000', '2026-03-29T01:00:00.000Z', 'W. Europe Standard Time'],
    ['DTSTART;TZID=W. Europe Standard Time:20261025T023000', '2026-10-25T00:30:00.000Z', 'W. Europe Standard Time'],
    ['DTSTART;TZID=Nowhere/Else:20260715T100000', null, 'Nowhere/Else'],
    ['DTSTART:20260715T100000', null, null],
    ['DTSTART;VALUE=DATE:20260715', null, null],
  ])('knows the moment of %s', async (line, utc, zone) => {
    expect((await read([line], { before: outlookZone }))?.start).toMatchObject({ utc, zone });
  });

  it.each([
    'BYMONTH=10;BYDAY=-1SU',
    'BYDAY=+5SU;BYMONTH=7;COUNT=200',
    'BYMONTH=10;BYMONTHDAY=31;UNTIL=20991231T000000Z',
    'BYMONTH=2;BYMONTHDAY=-1',
    'BYMONTH=4;WKST=SU',
    'INTERVAL=1',
  ])('knows a zone that changes each year by %s', async (rule) => {
    const change = ['DTSTART:19700101T000000', 'TZOFFSETFROM:+0230', 'TZOFFSETTO:+0230', `RRULE:FREQ=YEARLY;${rule}`];
    const { start } = (await read(['DTSTART;TZID=Z:20261215T100000'], { before: zoneOf(change) })) ?? {};
    expect(start?.utc).toBe('2026-12-15T07:30:00.000Z');
  });

  it.each([
    ['DTSTART:20260715', { utc: null, local: '2026-07-15' }],
    ['DTSTART;TZID=Europe/Berlin:20260715', { utc: null, local: '2026-07-15' }],
    ['DTSTART:20260715T0800Z', { utc: '2026-07-15T08:00:00.000Z', local: '2026-07-15T08:00:00' }],
    ['DTSTART:20261345', undefined],
  ])('has the start that a wrong %s means', async (line, start) => {
    const invitation = await read([line]);
    expect(invitation?.start ?? undefined).toEqual(start && { ...start, zone: null });
  });

  it('may have lines that are no property', async () => {
    const lines = [
      'DESCRIPTION:We meet',
      '',
      'at the mill,',
      'not "here":',
      'Bring; "wool',
      ' and tea',
      ':',
      'SUMMARY:Fair',
    ];
    expect(await read([...lines, 'DTSTART:20260715T080000Z'])).toMatchObject({
      title: 'Fair',
      start: { utc: '2026-07-15T08:00:00.000Z' },
    });
  });

  it('ends after its duration where it names no end', async () => {
    const { end } = (await read(['DTSTART:20260715T233000Z', 'DURATION:PT1H'])) ?? {};
    expect(end).toMatchObject({ utc: '2026-07-16T00:30:00.000Z', local: '2026-07-16T00:30:00' });
  });

  it.each([
    'DTSTART;VALUE=DATE:20261345',
    'DTSTART;VALUE=DATE:00000000',
    'DTSTART:20261345T100000Z',
    'DTSTART;TZID=Europe/Berlin:20261101T990000',
  ])('has no moment where it says %s', async (line) => {
    expect(await read([line])).toMatchObject({ start: null });
  });

  it.each(['DTEND;VALUE=DATE:20261345', 'DURATION:P9999999W', 'DURATION:P99999999W'])(
    'has no end where it says %s',
    async (line) => {
      expect(await read(['DTSTART;VALUE=DATE:20261101', line])).toMatchObject({ end: null });
    },
  );

  it.each([
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=8', { every: 'week', interval: 2, days: ['MO', 'WE'], count: 8 }],
    ['FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270101T000000Z', { every: 'month', days: [], until: '2027-01-01' }],
    ['FREQ=WEEKLY;UNTIL=20269999', { every: 'week', until: null }],
    ['FREQ=WEEKLY;UNTIL=00000000T000000Z', { every: 'week', until: null }],
    ['FREQ=SECONDLY', { every: null, interval: 1 }],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', { every: 'week', days: ['MO', 'TU', 'WE', 'TH', 'FR'] }],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=SA', { every: 'day', interval: 2, days: ['SA'] }],
    ['FREQ=MONTHLY;BYDAY=MO', { every: null }],
    ['FREQ=MONTHLY;BYDAY=2MO', { every: 'month' }],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', { every: 'month' }],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', { every: null }],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', { every: null }],
    ['FREQ=MONTHLY;BYMONTHDAY=15;BYHOUR=9', { every: 'month' }],
    ['FREQ=MONTHLY;BYMONTH=6,7', { every: null }],
    ['FREQ=YEARLY;BYMONTH=1,7', { every: null }],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', { every: 'year' }],
    ['FREQ=YEARLY;BYWEEKNO=20', { every: null }],
    ['FREQ=YEARLY;BYMONTHDAY=15', { every: null }],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=15', { every: 'year' }],
    ['FREQ=DAILY;BYMONTH=1', { every: null }],
    ['FREQ=WEEKLY;INTERVAL=1;BYMONTH=6,7', { every: null }],
  ])('says how %s repeats', async (rule, expected) => {
    expect((await read([`RRULE:${rule}`]))?.recurrence).toMatchObject(expected);
  });

  it.each([
    // As Outlook writes it, at the last time, and as Google does, at the end of the last day
    ['DTSTART;TZID=Australia/Sydney:20261130T090000', '20261213T220000Z', '2026-12-14'],
    ['DTSTART;TZID=America/New_York:20261130T200000', '20261222T045959Z', '2026-12-21'],
    ['DTSTART;TZID=W. Europe Standard Time:20261130T003000', '20261213T233000Z', '2026-12-14'],
    ['DTSTART;TZID=Pacific/Kiritimati:20261130T010000', '20261213T110000Z', '2026-12-14'],
    ['DTSTART;TZID=Europe/Berlin:20261130T090000', '20261214T000000Z', '2026-12-13'],
    ['DTSTART;TZID=America/New_York:20261130T233000', '20261214T000000Z', '2026-12-12'],
    ['DTSTART:20261130T233000Z', '20261214T233000Z', '2026-12-14'],
    ['DTSTART;TZID=Europe/Berlin:20261130T090000', '20261231', '2026-12-31'],
    ['DTSTART;VALUE=DATE:20261130', '20261214T230000Z', '2026-12-14'],
    ['DTSTART;TZID=Nowhere/Else:20261130T090000', '20261214T080000Z', '2026-12-14'],
    ['DTSTART;TZID=Europe/Berlin:20261130T090000', '99991231T235959Z', '9999-12-31'],
  ])('that begins at %s and repeats until %s ends on %s', async (start, end, day) => {
    const event = [start, `RRULE:FREQ=WEEKLY;UNTIL=${end}`];
    expect((await read(event, { before: outlookZone }))?.recurrence?.until).toBe(day);
  });

  it('may call an event off, or be an answer, and nothing else', async () => {
    expect((await read([], { method: 'CANCEL' }))?.method).toBe('cancel');
    expect((await read(people, { method: 'REPLY' }))?.method).toBe('reply');
    expect(await read([], { method: 'PUBLISH' })).toBeNull();
    expect(await readInvitation(Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR'))).toBeNull();
    expect(await readInvitation(Buffer.from('\0\xff no calendar'))).toBeNull();
  });

  it.each([
    ['iso-8859-1', Buffer.from('Café', 'latin1'), 'Café'],
    ['windows-1251', Buffer.from([0xcf, 0xf0, 0xe8]), 'При'],
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['utf-8', Buffer.from('Café'), 'Café'],
    ['us-ascii', Buffer.from('Café'), 'Café'],
    ['no-such-charset', Buffer.from('Café', 'latin1'), 'Café'],
    [undefined, Buffer.from('Café', 'latin1'), 'Café'],
  ])('is read in the charset that its part names: %s', async (charset, title, shown) => {
    const type = `Content-Type: text/calendar; method=REQUEST${charset ? `; charset=${charset}` : ''}\r\n\r\n`;
    const calendar = Buffer.from(calendarOf(['UID:one', `SUMMARY:${title.toString('latin1')}`]), 'latin1');
    const { invitation } = await show(Buffer.concat([Buffer.from(type), calendar]), 'mark', false);
    expect(invitation?.title).toBe(shown);
  });

  it.each(['text/calendar', 'application/ics; name=invite.ics'])('may be attached as %s', async (type) => {
    const file = `Content-Type: ${type}\r\nContent-Disposition: attachment\r\n\r\n${calendarOf(['UID:one', 'SUMMARY:Fair'])}`;
    const parts = ['Content-Type: text/plain\r\n\r\nSee the file.', file];
    const mixed = `Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n${parts.join('\r\n--m\r\n')}\r\n--m--`;
    expect((await show(Buffer.from(mixed), 'mark', false)).invitation).toMatchObject({ title: 'Fair', index: 0 });
  });

  it('may be folded within a letter, and keeps its other letters', async () => {
    const file = Buffer.from(calendarOf(['UID:one', 'SUMMARY:Grüße', 'LOCATION:Zürich']));
    const at = file.indexOf('ü') + 1;
    for (const fold of ['\r\n ', '\n\t']) {
      const folded = Buffer.concat([file.subarray(0, at), Buffer.from(fold), file.subarray(at)]);
      expect(await readInvitation(folded)).toMatchObject({ title: 'Grüße', where: 'Zürich' });
    }
  });

  it.each<[string, string[], string[]?]>([
    ['one long line', [`SUMMARY:${'x'.repeat(250_000)}`]],
    ['one folded line', [`SUMMARY:${'x\r\n '.repeat(7900)}`]],
    ['many parameters', [`SUMMARY${';X=1'.repeat(60_000)}:x`]],
    ['many values of one', [`SUMMARY;X=${'"a",'.repeat(60_000)}:x`]],
    ['escapes', [`SUMMARY:${'\\n'.repeat(120_000)}`]],
    ['attendees', Array.from({ length: 5000 }, (_, number) => `ATTENDEE;CN=a:mailto:a${number}@x.test`)],
    ['nested events', Array.from({ length: 7900 }, () => 'BEGIN:VEVENT')],
    ['days', [`RRULE:FREQ=SECONDLY;BYDAY=${'MO,'.repeat(60_000)}MO`]],
    ['an event of each second', ['DTSTART:20260715T080000Z', 'RRULE:FREQ=SECONDLY;COUNT=999999999']],
    [
      'a zone of each second',
      ['DTSTART;TZID=Z:20260101T100000'],
      outlookZone.map((line) => line.replace(/^TZID:.*/, 'TZID:Z').replace('YEARLY;INTERVAL=1', 'SECONDLY')),
    ],
    ...[
      'BYDAY=MO',
      'BYMONTHDAY=1',
      'BYMONTH=2;BYMONTHDAY=30',
      'BYMONTH=2;BYMONTHDAY=30;BYDAY=MO',
      'BYMONTH=4;BYMONTHDAY=-31;BYDAY=SU',
      'BYMONTH=4;BYMONTHDAY=8;BYDAY=3SU',
      'BYMONTH=2;BYDAY=6SU',
      'BYMONTH=2;BYDAY=-6SU',
      'BYMONTH=2;BYDAY=5SU',
      'BYDAY=53SU',
    ].map((days): [string, string[], string[]] => [
      `a zone that changes on ${days}`,
      ['DTSTART;TZID=Z:20990101T100000'],
      zoneOf([...outlookZone.slice(3, 6), `RRULE:FREQ=YEARLY;${days}`], 24),
    ]),
    ...[
      ['TZOFFSETFROM;VALUE=RECUR:FREQ=YEARLY;FACTOR=1;HOURS=9999999999;MINUTES=0', ...outlookZone.slice(5, 7)],
      ['DTSTART;VALUE=RECUR:YEAR=-99999999', ...outlookZone.slice(4, 7)],
      ['DTSTART;VALUE=DURATION:P1D', ...outlookZone.slice(4, 7)],
      ['DTSTART:2xyz0101T000000', ...outlookZone.slice(4, 7)],
    ].map(([first = '', ...others]): [string, string[], string[]] => [
      `a zone with ${first}`,
      ['DTSTART;TZID=Z:20990101T100000'],
      zoneOf([...(first.startsWith('DTSTART') ? [] : ['DTSTART:19700101T000000']), first, ...others], 24),
    ]),
    ['a zone of many rules', ['DTSTART;TZID=Z:20990101T100000'], zoneOf(outlookZone.slice(3, 7), 500)],
  ])('takes no longer for %s', async (_name, event, before = []) => {
    await read([]);
    const start = cpuTimeMs();
    await read(event, { before });
    expect(cpuTimeMs() - start).toBeLessThan(1000);
  });

  it('is only a file when it is too large', async () => {
    expect(await read([`SUMMARY:${'x\r\n '.repeat(9000)}`])).toBeNull();
    expect(await read([`SUMMARY:${'x'.repeat(300_000)}`])).toBeNull();
  });
});

describe('an answer', () => {
  const now = new Date('2026-11-20T09:08:07Z');
  const attendee = { name: 'Ana "X" Test\r\nEVIL:1', address: 'ana@host.test' };

  /** The answer to an invitation: the message, and the lines of its calendar. */
  async function answer(event: string[], before: string[] = []) {
    const invitation = await readInvitation(Buffer.from(calendarOf([...event, ...people], { before })));
    if (!invitation?.organiser) throw new Error('it has an organiser');
    const { organiser } = invitation;
    const given = { invitation, organiser, attendee, now, inReplyTo: '<first@remote.test>' };
    const raw = await composeInvitationReply({ ...given, answer: 'declined' });
    const parsed = await parseMessage(raw, { keepContent: true });
    const calendar = parsed.attachments[0]?.content?.toString() ?? '';
    expect(calendar.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    return { raw, parsed, calendar, lines: calendar.replaceAll('\r\n ', '').split('\r\n') };
  }

  it('is a message with a calendar of its own', async () => {
    const times = ['RECURRENCE-ID;TZID=Europe/Zurich:20261123T100000', 'DTSTART;TZID=Europe/Zurich:20261123T110000'];
    const event = ['UID:a\\,b', 'SEQUENCE:3', `SUMMARY:${'Spring ü '.repeat(20)}`, ...times];
    const { raw, parsed, calendar, lines } = await answer(event);
    expect(parsed).toMatchObject({ inReplyTo: '<first@remote.test>', to: [{ address: 'ben@remote.test' }] });
    expect(parsed.subject).toMatch(/^Declined: Spring ü/);
    expect(raw.toString()).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REPLY/i);
    expect(lines).toEqual(
      expect.arrayContaining([
        'METHOD:REPLY',
        'UID:a\\,b',
        'SEQUENCE:3',
        'DTSTAMP:20261120T090807Z',
        'RECURRENCE-ID:20261123T090000Z',
        'DTSTART:20261123T100000Z',
        'ORGANIZER;CN="Weber, Ben":mailto:ben@remote.test',
        'ATTENDEE;PARTSTAT=DECLINED;CN="Ana X TestEVIL:1":mailto:ana@host.test',
      ]),
    );
    expect(await readInvitation(Buffer.from(calendar))).toMatchObject({ method: 'reply', uid: 'a,b', sequence: 3 });
  });

  const oneDate = ['UID:one', 'RECURRENCE-ID;TZID=W. Europe Standard Time:20261123T100000'];
  const named = 'RECURRENCE-ID;TZID="W. Europe Standard Time":20261123T100000';
  const longDates = `RDATE:${Array.from({ length: 600 }, () => '19990101T000000').join(',')}`;
  const renamed = (name: string) => outlookZone.map((line) => line.replace('W. Europe Standard Time', name));

  it('describes the zone of the date that it names as the invitation does, and no other', async () => {
    const { lines } = await answer(oneDate, [...renamed('Other'), ...outlookZone]);
    expect(lines).toContain(named);
    expect(lines.slice(lines.indexOf('BEGIN:VTIMEZONE'), lines.indexOf('BEGIN:VEVENT'))).toEqual(outlookZone);
    expect((await answer(['UID:one'], outlookZone)).lines).not.toContain('BEGIN:VTIMEZONE');
  });

  it('repeats nothing else that stands in the zone', async () => {
    const more = ['X-NOTE:evil', 'TZURL:http://evil.test', 'BEGIN:VALARM', 'ACTION:evil', 'END:VALARM', 'END:STANDARD'];
    const zone = outlookZone.flatMap((line) => (line === 'END:STANDARD' ? more : line));
    const { calendar, lines } = await answer(oneDate, zone);
    expect(lines).toContain(named);
    expect(calendar).not.toContain('evil');
  });

  it.each([
    ['no description', 'Europe/Berlin', []],
    ['a name with other signs', '"(UTC+01:00) Berlin, Bern"', renamed('(UTC+01:00) Berlin\\, Bern')],
    ['a very long description', 'Long', [...renamed('Long').slice(0, -2), longDates, ...outlookZone.slice(-2)]],
  ])('names the date in UTC where its zone has %s', async (_what, zone, before) => {
    const { lines } = await answer(['UID:one', `RECURRENCE-ID;TZID=${zone}:20261123T100000`], before);
    expect(lines).toContain('RECURRENCE-ID:20261123T090000Z');
    expect(lines).not.toContain('BEGIN:VTIMEZONE');
  });
});
