import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const part = (type: string, content: string) => `Content-Type: text/${type}\r\n\r\n${content}`;
const multipart = (type: string, boundary: string, parts: string[]) => {
  const bounded = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('');
  return `Content-Type: multipart/${type}; boundary=${boundary}\r\n\r\n${bounded}--${boundary}--`;
};
const alternative = (...parts: string[]) => multipart('alternative', 'a', parts);
const parse = (message: string) => parseMessage(Buffer.from(message));
const parseMixed = (...parts: string[]) => parse(multipart('mixed', 'm', parts));

describe('an alternative', () => {
  it.each([
    ['text alone', alternative(part('plain', 'words'), part('calendar', 'BEGIN:VCALENDAR'))],
    ['text and blank HTML', alternative(part('plain', 'words'), part('html', '\r\n\r\n'))],
  ])('with %s is shown above HTML that follows it', async (_case, first) => {
    const { html, text } = await parseMixed(first, part('html', '<p>Disclaimer</p>'));
    expect(html).toMatch(/words.*<p>Disclaimer/s);
    expect(text).toBe('words\nDisclaimer');
  });

  it.each([
    ['HTML alone', alternative(part('html', '<p>words</p>'))],
    ['blank text and HTML', alternative(part('plain', '\r\n\r\n'), part('html', '<p>words</p>'))],
  ])('with %s is found above a text that follows it', async (_case, first) => {
    const { html, text, preview } = await parseMixed(first, part('plain', 'footer'));
    expect(html).toMatch(/words.*footer/s);
    expect([text, preview]).toEqual(['words\nfooter', 'words footer']);
  });

  it('keeps the text that stands below its HTML', async () => {
    const rich = multipart('mixed', 'm', [part('html', '<p>words</p>'), part('plain', 'tail')]);
    const { html, text } = await parse(alternative(part('plain', 'words'), rich));
    expect(html).toMatch(/words.*tail/s);
    expect(text).toBe('words\ntail');
  });

  it('has each form once where it has both', async () => {
    const both = alternative(part('plain', 'words'), multipart('related', 'r', [part('html', '<p>words</p>')]));
    const { html, text } = await parseMixed(both, part('plain', 'footer'));
    expect(html?.match(/words/g)).toHaveLength(1);
    expect(text).toBe('words\nfooter');
  });
});

describe('an alternative with several texts in one form', () => {
  const wide = part('html', '<table><tr><td>The mill opens <b>on Monday</b> at eight</td></tr></table>');
  const narrow = part('html', '<style>p { color: red }</style><p>The mill opens on Monday at eight.</p>');

  it('shows the last of its versions', async () => {
    const { html } = await parse(alternative(part('plain', 'The mill opens'), wide, narrow));
    expect(html).toBe('<style>p { color: red }</style><p>The mill opens on Monday at eight.</p>');
    const nested = await parse(alternative(wide, multipart('related', 'r', [narrow])));
    expect(nested.html).toBe(html);
    const { text } = await parse(alternative(part('plain', 'The mill\nopens'), part('plain', 'The mill opens')));
    expect(text).toBe('The mill opens');
  });

  it.each([
    ['a footer', part('html', '<p>Sent by the mill, which opens on every Monday, for its many friends</p>')],
    ['another language', part('html', '<p>Die Mühle öffnet am Montag um acht</p>')],
    ['no words', part('html', '<hr>')],
  ])('shows all where the last has %s', async (_case, last) => {
    const { html } = await parse(
      alternative(part('plain', 'Yes'), part('html', '<p>The mill opens on Monday</p>'), last),
    );
    expect(html).toMatch(/The mill opens on Monday<\/p>.*<(?:p|hr)>/s);
  });

  it('shows a short answer whose words are also in the footer', async () => {
    const footer = part('plain', 'yes is what we say to the weavers of the mill');
    expect((await parse(alternative(part('plain', 'Yes'), footer))).text).toMatch(/^Yes\s+yes is/);
  });
});

describe('a multipart', () => {
  const multiparted = (field: string, ...lines: string[]) =>
    parse([`Content-Type: multipart/mixed${field}`, '', ...lines].join('\r\n'));

  it.each([
    ['names no boundary', multiparted('', '--m', 'Content-Type: text/plain', '', 'Grüße', '--m--')],
    ['names a boundary that never comes', multiparted('; boundary=other', 'Grüße')],
    ['has a part without a header', multiparted('; boundary=m', '--m', 'Grüße', '--m--')],
    ['has two parts without a header', multiparted('; boundary=m', '--m', 'Grüße', '--m', 'more', '--m--')],
    ['ends in the header of a part', multiparted('; boundary=m', '--m', 'Grüße')],
  ])('that %s is shown as it came', async (_case, parsing) => {
    const { text, preview, html, attachments } = await parsing;
    expect([text, preview, html]).toEqual([expect.stringContaining('Grüße'), expect.stringContaining('Grüße'), null]);
    expect(attachments).toEqual([]);
  });

  it.each([
    ['in its name', '; boundary="m "', 'm'],
    ['in its lines', '; boundary=m', 'm \t'],
    ['in both', '; boundary="m "', 'm '],
  ])('may have white space behind its boundary %s', async (_case, field, boundary) => {
    const part = (content: string) => [`--${boundary}`, 'Content-Type: text/plain', '', content];
    const { text } = await multiparted(field, ...part('one'), ...part('two'), `--m--${boundary.slice(1)}`, 'after');
    expect(text).toBe('one\ntwo');
  });

  it.each([
    ['blank parts', ['--m', 'Content-Type: text/plain', '', '', '--m--']],
    ['no words at all', ['', '']],
  ])('of %s is an empty message', async (_case, lines) => {
    expect(await multiparted('; boundary=m', ...lines)).toMatchObject({ text: null, html: null, preview: '' });
  });

  it('keeps its file where a line of the header is no field', async () => {
    const file = ['--m', 'Content-Type: application/pdf; name=a.pdf', 'no field', '', '%PDF', '--m--'];
    const { text, attachments } = await multiparted('; boundary=m', ...file);
    expect([text, attachments[0]?.filename]).toEqual([null, 'a.pdf']);
  });
});
