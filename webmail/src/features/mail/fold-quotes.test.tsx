import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../tests/support/cpu-time.ts';
import { foldQuotes, leaveOutQuotes, type Quoting } from './fold-quotes.ts';

const long = 'The bales of the second lot are damp. '.repeat(8);

const letter: Quoting = { isForward: false, isDesigned: false };

/** What is folded away in a text, and what is not. */
function folded(html: string, quoting = letter): { hidden: string[]; shown: string } {
  const page = new DOMParser().parseFromString(html, 'text/html');
  foldQuotes(page, quoting);
  const folds = [...page.querySelectorAll('details')];
  const hidden = folds.map((one) => [...one.childNodes].slice(1).map(words).join(' ').trim());
  for (const one of folds) one.remove();
  return { hidden, shown: words(page.body) };
}

const words = ({ textContent }: Node): string => (textContent ?? '').replace(/\s+/g, ' ').trim();

const labels = (names: readonly string[]): string =>
  names.map((name, index) => `<b>${name}:</b> ${index === 0 ? 'Ben Rao &lt;ben@mill.test&gt;' : 'value'}<br>`).join('');

const english = ['From', 'Sent', 'To', 'Subject'];

/** As Outlook on the web and new Outlook write an answer. */
const web = (names: readonly string[], text = long): string =>
  `<div>Thank you, Ben.</div><hr style="display:inline-block; width:98%"><div><font face="Calibri">${labels(names)}</font><div>&nbsp;</div></div><div><p>${text}</p></div>`;

/** As Outlook for Windows writes one. */
const windows = (names: readonly string[]): string =>
  `<div><p>Thank you, Ben.</p><p>&nbsp;</p><div><div style="border:none; border-top:solid #E1E1E1 1.0pt; padding:3.0pt 0cm 0cm 0cm"><p>${labels(names)}</p></div></div><p>${long}</p><p>Ben</p></div>`;

describe('what an answer from Outlook quotes', () => {
  it.each([
    ['on the web', web(english)],
    ['on Windows', windows(english)],
    ['in German', windows(['Von', 'Gesendet', 'An', 'Betreff'])],
    ['in French, with a space before the colon', web(['De ', 'Envoyé ', 'À ', 'Objet '])],
    ['in Japanese', web(['差出人', '送信日時', '宛先', '件名'])],
  ])('is folded from its first line to its end: %s', (_where, html) => {
    const { hidden, shown } = folded(html);
    expect(shown).toBe('Thank you, Ben.');
    expect(hidden).toHaveLength(1);
    expect(hidden[0]).toMatch(/^\S+ ?: Ben Rao <ben@mill\.test>.*damp/);
  });

  it('is folded once, with the quotes within', () => {
    const { hidden, shown } = folded(web(english, `${long}<blockquote>${long}</blockquote>`));
    expect([hidden.length, shown]).toEqual([1, 'Thank you, Ben.']);
  });

  it('stays when it is short, or all that there is', () => {
    expect(folded(web(english, 'Short.')).hidden).toEqual([]);
    expect(folded(web(english).replace('Thank you, Ben.', '')).hidden).toEqual([]);
  });

  it('is not taken for one where labels alone stand there, as of a ticket', () => {
    const ticket = `<p>Dear guest,</p><p>${labels(['From', 'To', 'Date', 'Seat'])}</p><p>${long}</p>`;
    expect(folded(ticket).hidden).toEqual([]);
    expect(folded(web(['Name', 'Sent', 'To', 'Subject'])).hidden).toEqual([]);
    expect(folded(web(['From', 'Sent'])).hidden).toEqual([]);
  });

  it.each([
    ['a paragraph with thousands of labels', `<p>${'<b>From:</b> x<br>'.repeat(2000)}</p>`],
    ['hundreds of parts within each other', '<div><b>From:</b> x'.repeat(200)],
  ])('takes no longer to look for in %s', (_what, html) => {
    const start = cpuTimeMs();
    expect(folded(html).hidden).toEqual([]);
    expect(cpuTimeMs() - start).toBeLessThan(1000);
  });
});

describe('what an answer quotes below a line of words', () => {
  const samsung = (line: string, names: readonly string[]) =>
    `<div dir="auto">Thank you, Ben.</div><div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>${line}</div><div>${names[0]}: Ben Rao &lt;ben@mill.test&gt; </div>${names
      .slice(1)
      .map((name) => `<div>${name}: 21/07/2026  09:03  (GMT+01:00) </div>`)
      .join('')}<div><br></div></div><div dir="ltr"><p>${long}</p></div>`;
  const qq = `<div>Thank you, Ben.</div><div><br></div><div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;原始邮件&nbsp;------------------</div>
<div style="font-size: 12px;background:#efefef;padding:8px;">
    <div><b>发件人:</b>&nbsp;"Ben Rao"&lt;ben@mill.test&gt;;</div>
    <div><b>发送时间:</b>&nbsp;2026年7月4日(星期四) 中午11:18</div>
    <div><b>收件人:</b>&nbsp;"ana"&lt;ana@qq.test&gt;;</div>
    <div></div><div><b>主题:</b>&nbsp;Bales</div>
</div><div><br></div><div dir="ltr">${long}</div>`;
  const aol = `<font color="black" face="arial">Thank you, Ben.<br><br><div style="font-size:10pt;color:black">-----Original Message-----<br>
 From: Ben Rao &lt;<a href="mailto:ben@mill.test">ben@mill.test</a>&gt;<br>
 To: ana &lt;ana@aol.test&gt;<br>
 Sent: Wed, Jul 3, 2026 6:10 pm<br>
 Subject: Bales<br><br><div>${long}</div></div></font>`;

  it.each([
    ['Samsung', samsung('-------- Original message --------', ['From', 'Date', 'To', 'Subject'])],
    ['Samsung in German', samsung('-------- Ursprüngliche Nachricht --------', ['Von', 'Datum', 'An', 'Betreff'])],
    ['Samsung in French', samsung("-------- Message d'origine --------", ['De ', 'Date ', 'À ', 'Objet '])],
    ['QQ', qq],
    ['QQ in English', qq.replace('原始邮件', 'Original').replace('发件人', 'From')],
    ['AOL', aol],
  ])('is folded from that line to its end: %s', (_program, html) => {
    const { hidden, shown } = folded(html);
    expect([hidden.length, shown]).toEqual([1, 'Thank you, Ben.']);
    expect(hidden[0]).toMatch(/^-----.*ben@mill\.test.*damp/);
  });

  it.each([
    [
      'a message that is passed on',
      samsung('---------- Forwarded message ---------', ['From', 'Date', 'To', 'Subject']),
    ],
    ['a line without labels', `<div>Yes.</div><div>-----Original Message-----</div><p>${long}</p>`],
    ['all that there is', qq.replace('Thank you, Ben.', '')],
  ])('leaves %s as it is', (_what, html) => {
    expect(folded(html).hidden).toEqual([]);
  });

  it('takes no longer to look for in a message of thousands of lines', () => {
    const start = cpuTimeMs();
    expect(folded('<div>-----Original Message-----</div>'.repeat(5000)).hidden).toEqual([]);
    expect(folded('<div>-----Original Message-----'.repeat(400)).hidden).toEqual([]);
    expect(cpuTimeMs() - start).toBeLessThan(3000);
  });
});

describe('what an answer from Outlook quotes in a plain text', () => {
  const block = (text: string) => `<div style="white-space: pre-wrap">${text}</div>`;
  const labelled = (names: readonly string[]) =>
    names
      .map((name, at) =>
        at === 0 ? `${name}: Ben &lt;<a href="mailto:ben@mill.test">ben@mill.test</a>&gt;` : `${name}: value`,
      )
      .join('\n');
  const plain = (line: string, names = english) => block(`Thank you, Ben.\n\n${line}\n${labelled(names)}\n\n${long}`);

  it.each([
    ['Original Message', plain('-----Original Message-----')],
    ['a long line', plain('________________________________')],
    [
      'bold labels',
      plain(
        '________________________________',
        english.map((name) => `*${name}`),
      ),
    ],
    ['German', plain('-----Ursprüngliche Nachricht-----', ['Von', 'Gesendet', 'An', 'Betreff'])],
    ['a quote within', `${plain('-----Original Message-----')}<blockquote>${long}</blockquote>${block('Ben')}`],
  ])('is folded from its line to its end: %s', (_what, html) => {
    const { hidden, shown } = folded(html);
    expect([hidden.length, shown]).toEqual([1, 'Thank you, Ben.']);
    expect(hidden[0]).toMatch(/^[-_].*ben@mill\.test.*damp/);
  });

  it.each([
    ['a message that is passed on', plain('---------- Forwarded message ---------')],
    ['labels without a line', plain('Please note:')],
    ['a line without labels', block(`Thank you.\n________________________________\n${long}`)],
    ['other labels', plain('________________________________', ['Name', 'Sent', 'To', 'Subject'])],
    ['all that there is', block(`-----Original Message-----\n${labelled(english)}\n\n${long}`)],
    ['a short one', block(`Yes.\n-----Original Message-----\n${labelled(english)}\n\nHi`)],
  ])('leaves %s as it is', (_what, html) => {
    const { hidden, shown } = folded(html);
    expect(hidden).toEqual([]);
    expect(shown.replace(/\s/g, '')).toBe(
      words(new DOMParser().parseFromString(html, 'text/html').body).replace(/\s/g, ''),
    );
  });
});

describe('a quote that is marked as one', () => {
  it('is folded when it is long, each by itself', () => {
    const quote = `<blockquote>${long}</blockquote>`;
    const { hidden, shown } = folded(`<p>One.</p>${quote}<p>Two.</p>${quote}<blockquote>Short.</blockquote>`);
    expect([hidden.length, shown]).toEqual([2, 'One.Two.Short.']);
  });

  it('stays when it is all that there is', () => {
    expect(folded(`<blockquote>${long}</blockquote>`).hidden).toEqual([]);
  });
});

describe('what the reader has not seen before', () => {
  it.each([
    ['Outlook', web(english)],
    ['others', `<p>For your information.</p><blockquote type="cite">${long}</blockquote>`],
  ])('is not folded where a message is passed on: %s', (_program, html) => {
    expect(folded(html, { ...letter, isForward: true }).hidden).toEqual([]);
  });

  it('is not folded in the middle of a newsletter, which quotes another text', () => {
    const said = `<p>As he wrote:</p><blockquote>${long}</blockquote>`;
    const designed = { ...letter, isDesigned: true };
    expect(folded(`<div>${said}</div><div>And that is that.</div>`, designed).hidden).toEqual([]);
    expect(folded(`<div>${said}<br></div><div>&nbsp;</div>`, designed).hidden).toEqual([long.trim()]);
    expect(folded(`<div>${said}</div><div>And that is that.</div>`).hidden).toEqual([long.trim()]);
  });
});

describe('on paper', () => {
  const printed = (html: string, quoting = letter): string => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    leaveOutQuotes(page, quoting);
    return words(page.body);
  };

  it('what would be folded is left out, with a mark in its place', () => {
    const quote = `<blockquote>${long}</blockquote>`;
    expect(printed(`<p>One.</p>${quote}<p>Two.</p>`)).toBe('One.[Quoted text left out]Two.');
    expect(printed(web(english))).toBe('Thank you, Ben.[Quoted text left out]');
    expect(printed(web(english), { ...letter, isForward: true })).toContain('damp');
  });

  it('what would stand there unfolded stands there, and what its sender folds as well', () => {
    expect(printed(`<p>One.</p><blockquote>Short.</blockquote>`)).toBe('One.Short.');
    expect(printed(`<blockquote>${long}</blockquote>`)).toBe(long.trim());
    expect(printed(`<p>One.</p><details>${long}</details>`)).toContain('damp');
  });
});
