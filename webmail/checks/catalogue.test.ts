import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sources } from './sources.ts';

const site = join(import.meta.dirname, '../site');
/** What the product does not say: it has *Log in* and *Log out*. */
const otherWord = /\bsign(?:s|ed|ing)?[ -](?:in|out|ins|outs)\b/i;
const counted = /\bcount\(\{[^]*?\}\)/g;
const placeholder = /\{(\w+)\}/g;

/** Texts with values stand in quotes; keys and imports of a catalogue have no spaces. */
const textsIn = (code: string): string[] => [...code.matchAll(/'([^'\n]* [^'\n]*)'|`([^`]*)`/g)].map(([text]) => text);

const catalogue = sources().filter(({ path }) => path.startsWith('words/'));

describe('the catalogue', () => {
  it('says Log in and Log out, as the public site does', () => {
    expect(catalogue.length).toBeGreaterThan(60);
    const pages = globSync(`${site}/*.html`).map((file) => ({
      path: file,
      texts: readFileSync(file, 'utf8').match(/>[^<]+</g) ?? [],
    }));
    const texts = [...catalogue.map(({ path, code }) => ({ path, texts: textsIn(code) })), ...pages];
    const strays = texts.flatMap(({ path, texts: all }) =>
      all.filter((text) => otherWord.test(text)).map((text) => `${path}: ${text}`),
    );
    expect(strays).toEqual([]);
  });

  it('names the number in a text that counts as it is filled in', () => {
    const forms = catalogue.flatMap(({ path, code }) => (code.match(counted) ?? []).map((text) => ({ path, text })));
    expect(forms.length).toBeGreaterThan(30);
    const strays = forms.flatMap(({ path, text }) =>
      [...text.matchAll(placeholder)].flatMap(([whole, name]) => (name === 'count' ? [] : [`${path}: ${whole}`])),
    );
    expect(strays).toEqual([]);
  });
});
