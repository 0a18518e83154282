/** A calendar file with one event. */
export function calendarOf(
  event: string[],
  { method = 'REQUEST', before = [] }: { method?: string; before?: string[] } = {},
): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', `METHOD:${method}`, ...before];
  return [...lines, 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
}

/** Fields and body of a message that has a calendar file as an alternative to its text. */
export function invitingParts(calendar: string, method = 'REQUEST', text = 'See the invitation.') {
  const headers = 'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=alt';
  const body = [
    '--alt',
    'Content-Type: text/plain',
    '',
    text,
    '--alt',
    `Content-Type: text/calendar; charset=utf-8; method=${method}`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(calendar).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '--alt--',
  ].join('\r\n');
  return { headers, body };
}

/** A time zone of Outlook, whose name other programs do not know. */
export const outlookZone = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];
