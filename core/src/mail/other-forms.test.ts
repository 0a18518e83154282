import { expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const alternative = ['Content-Type: multipart/alternative; boundary=b', ''];
const report = ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b', ''];
const words = ['--b', 'Content-Type: text/plain', '', 'words'];
it.each([
  ['AMP', [...alternative, ...words, '--b', 'Content-Type: text/x-amp-html', '', '<html amp4email>'], true],
  ['AMP before words', [...alternative, '--b', 'Content-Type: text/x-amp-html', '', '<html>', ...words], true],
  ['enriched text', [...alternative, ...words, '--b', 'Content-Type: text/enriched', '', '<bold>words</bold>'], true],
  ['AMP without words', [...alternative, '--b', 'Content-Type: text/x-amp-html', '', '<html amp4email>'], false],
  ['an invitation', [...alternative, ...words, '--b', 'Content-Type: text/calendar', '', 'BEGIN:VCALENDAR'], false],
  ['a text with a name', [...alternative, ...words, '--b', 'Content-Type: text/csv; name=a.csv', '', '1,2'], false],
  [
    'an attached text',
    [...alternative, ...words, '--b', 'Content-Type: text/csv', 'Content-Disposition: attachment', '', '1'],
    false,
  ],
  ['a file', [...alternative, ...words, '--b', 'Content-Type: application/pdf', '', '%PDF'], false],
  [
    'a receipt',
    [...report, ...words, '--b', 'Content-Type: message/disposition-notification', '', 'Disposition: x'],
    true,
  ],
  ['a receipt without words', [...report, '--b', 'Content-Type: message/disposition-notification', '', 'x: y'], false],
  [
    'a report of delivery',
    [...report, ...words, '--b', 'Content-Type: message/global-delivery-status', '', 'Action: failed'],
    true,
  ],
  ['what a report returns', [...report, ...words, '--b', 'Content-Type: text/rfc822-headers', '', 'A: b'], false],
])('hides what the text says too, and no file: %s', async (_case, lines, related) => {
  const { attachments } = await parseMessage(Buffer.from([...lines, '--b--', ''].join('\r\n')));
  expect(attachments).toMatchObject([{ related }]);
});
