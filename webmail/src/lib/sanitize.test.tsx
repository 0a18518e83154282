import { describe, expect, it } from 'vitest';
import { parseSanitized, sanitizeHtml } from './sanitize.ts';

const attacks = [
  '<img src="x" onerror="steal()">',
  '<a href="javascript:steal()">press</a>',
  '<svg><script>steal()</script></svg>',
  '<iframe srcdoc="<script>steal()</script>"></iframe>',
  '<form action="https://evil.test"><button>go</button></form><math><mtext></form><form><mglyph><style></math><img src onerror=steal()>',
  '<body onload="steal()"><p onclick="steal()">text</p>',
];

describe('sanitised HTML', () => {
  it.each(attacks)('runs nothing: %s', (attack) => {
    expect(sanitizeHtml(attack)).not.toContain('steal');
    expect(parseSanitized(attack).documentElement.outerHTML).not.toContain('steal');
  });

  it('keeps how a text looks, tables, links and the pictures of a message', () => {
    const text =
      '<p style="color: red" dir="rtl"><b>Wool</b> <a href="https://a.test/">a</a></p><table border="1"><tbody><tr><td>1</td></tr></tbody></table><img src="/upload/a.png" alt="A"><img data-remote-src="https://b.test/b.png" alt="B" usemap="#map-m"><map name="map-m"><area href="https://b.test/" shape="rect" coords="0,0,9,9" alt="b"></map>';
    expect(sanitizeHtml(text)).toBe(text);
    expect(parseSanitized(text).body.innerHTML).toBe(text);
  });

  it('keeps links of every kind that the server keeps', () => {
    const links = [
      'https://a.test/',
      'mailto:a@b.c',
      'tel:+1',
      'sms:+1',
      'sip:a@b.c',
      'callto:a',
      'webcal://a.test/c.ics',
    ];
    const text = links.map((link) => `<a href="${link}">a</a>`).join('');
    expect(sanitizeHtml(text)).toBe(text);
    expect(sanitizeHtml('<a href="file:///a">a</a><a href="jav&#9;ascript:a">a</a>')).toBe('<a>a</a><a>a</a>');
  });

  it('leaves out and keeps what its user says', () => {
    expect(sanitizeHtml('<p>a</p><button>b</button>', { forbid: ['button'] })).toBe('<p>a</p>b');
    expect(sanitizeHtml('<a target="_blank">a</a>', { keep: ['target'] })).toBe('<a target="_blank">a</a>');
  });

  it('keeps the head of a document, where its style sheet and the program that wrote it stand', () => {
    const page = parseSanitized(
      '<html><head><meta name="ProgId" content="Word.Document"><style>p {}</style></head><p>a</p>',
    );
    expect(page.head.innerHTML).toContain('Word.Document');
    expect(page.head.innerHTML).toContain('p {}');
  });
});
