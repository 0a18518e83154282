import { escapeHtml } from '@selvage/core/mail/escape-html';

/** The texts of a page. They are plain text: the page escapes all of them. */
export interface Page {
  hostname: string;
  /** Shown small, above the title. */
  kicker?: string;
  title: string;
  /** What happens to the message. It is highlighted. */
  fate?: { text: string; isFinal: boolean };
  paragraphs: readonly string[];
  list?: { title: string; items: readonly string[] };
  facts?: { title: string; rows: readonly (readonly [string, string])[] };
  contact: { title: string; before: string; after: string };
  end?: string;
}

/** The colours are those of the shipped public site. */
const style = `
:root { color-scheme: light dark; --paper: #f7f6f3; --sheet: #fff; --ink: #1d1c1a; --soft: #5f5b53;
  --line: #dcd7cd; --indigo: #2f3e9e; --ecru: #cbbd9c; --red: #b5392f; }
@media (prefers-color-scheme: dark) { :root { --paper: #0f1115; --sheet: #15171e; --ink: #e9e7e2; --soft: #a6a39b;
  --line: #2a2e39; --indigo: #9aa8ff; --ecru: #8d8470; --red: #d15a4f; } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 17px / 1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body::before { content: ""; display: block; height: 6px;
  background: linear-gradient(var(--ecru) 0 2px, var(--red) 2px 4px, var(--ecru) 4px 6px); }
main { max-width: 42rem; margin: clamp(16px, 6vh, 72px) auto; padding: 0 16px; }
article { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px;
  padding: clamp(20px, 5vw, 44px); }
header { color: var(--soft); font-size: 15px; }
h1 { margin: 6px 0 16px; font: 400 clamp(28px, 5vw, 38px) / 1.15 "Iowan Old Style", "Palatino Linotype", Palatino,
  "Noto Serif", "Liberation Serif", Georgia, serif; text-wrap: balance; }
h2 { margin: 28px 0 6px; font-size: 17px; line-height: 1.4; }
p { margin: 0 0 12px; }
ul { margin: 0; padding-left: 1.2em; }
li { margin-bottom: 6px; }
.fate { margin: 0 0 18px; padding: 10px 14px; border-left: 4px solid var(--ecru); background: var(--paper); }
.final { border-color: var(--red); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
a { color: var(--indigo); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--indigo); outline-offset: 3px; border-radius: 2px; }
footer { padding: 14px 4px; color: var(--soft); font-size: 15px; }
@media (max-width: 480px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; } }
`;

const each = <T>(items: readonly T[], draw: (item: T) => string): string => items.map(draw).join('\n');

/** Draws a page of HTML that needs no script and no other file. */
export function drawPage({ hostname, kicker, title, fate, paragraphs, list, facts, contact, end }: Page): string {
  const postmaster = `postmaster@${hostname}`;
  const e = escapeHtml;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${e(title)} – ${e(hostname)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<style>${style}</style>
</head>
<body>
<main>
<article>
<header>${e(hostname)}${kicker === undefined ? '' : ` · ${e(kicker)}`}</header>
<h1>${e(title)}</h1>
${fate ? `<p class="fate${fate.isFinal ? ' final' : ''}">${e(fate.text)}</p>` : ''}
${each(paragraphs, (text) => `<p>${e(text)}</p>`)}
${list ? `<h2>${e(list.title)}</h2>\n<ul>\n${each(list.items, (text) => `<li>${e(text)}</li>`)}\n</ul>` : ''}
${facts ? `<h2>${e(facts.title)}</h2>\n<dl>\n${each(facts.rows, ([name, value]) => `<dt>${e(name)}</dt><dd>${e(value)}</dd>`)}\n</dl>` : ''}
<h2>${e(contact.title)}</h2>
<p>${e(contact.before)} <a href="mailto:${e(postmaster)}">${e(postmaster)}</a>. ${e(contact.after)}</p>
</article>
${end === undefined ? '' : `<footer>${e(end)}</footer>`}
</main>
</body>
</html>
`;
}
