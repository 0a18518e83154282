import { describe, expect, it } from 'vitest';
import { findTexts } from './find-texts.ts';
import { sources } from './sources.ts';

/** What stands in one place only: a pattern, and the modules that it may stand in. */
const rules: Record<string, { pattern: RegExp; place: RegExp }> = {
  'a width at which the interface changes': {
    pattern: /\((?:min|max)-width:/,
    place: /^theme\/breakpoints\.ts$/,
  },
  'a key of what the browser keeps': {
    pattern: /['"`]selvage\.|createStore\(['"`]/,
    place: /^lib\/(?:further-)?storage-keys\.ts$/,
  },
  'a colour': { pattern: /['"`\s:(]#(?:[0-9a-f]{3,4}){1,2}\b|\b(?:rgb|hsl)a?\(/i, place: /^theme\// },
  'a ring around what has the focus': { pattern: /':focus-visible[^']*':|\boutline:/, place: /^theme\/styles\.ts$/ },
};

function linesWith(pattern: RegExp, code: string): number[] {
  return code.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

function strays({ pattern, place }: { pattern: RegExp; place: RegExp }): string[] {
  const others = sources().filter(({ path }) => !place.test(path));
  return others.flatMap(({ path, code }) => linesWith(pattern, code).map((line) => `${path}:${line}`));
}

describe('in the sources of the web app', () => {
  it.each(Object.entries(rules))('%s stands in its one place', (_what, rule) => {
    expect(strays(rule)).toEqual([]);
    // The place itself holds some, so the pattern still finds what it looks for
    const found = sources().filter(({ path, code }) => rule.place.test(path) && rule.pattern.test(code));
    expect(found).not.toEqual([]);
  });

  it('every text stands in the catalogue', () => {
    const others = sources().filter(({ path }) => !path.startsWith('words/'));
    expect(others.length).toBeGreaterThan(200);
    expect(others.flatMap(({ path, code }) => findTexts(path, code).map((text) => `${path}:${text}`))).toEqual([]);
  });
});

describe('findTexts', () => {
  it.each([
    ['between tags', '<p>Wool</p>'],
    ['in braces', "<p>{'Wool'}</p>"],
    ['with a value in it', '<p>{`Wool ${x}`}</p>'],
    ['that a condition chooses', "<p>{x ? 'Wool' : y}</p>"],
    ['behind a condition', "<p>{x && 'Wool'}</p>"],
    ['as a name', '<p aria-label="Wool" />'],
    ['as a name with a value in it', '<Field label={`Wool ${x}`} />'],
    ['of a button', "<Dialog submitLabel={x ?? 'Wool'} />"],
    ['as a default', "({ label = 'Wool' }) => label"],
    ['of an action', "const a = { label: 'Wool', run };"],
    ['in a toast', "notify.success('Wool')"],
    ['in a toast of news', "notify.news('wool', 'Wool', open)"],
    ['as the text of an element', "summary.textContent = 'Wool'"],
    ['as the problem of a field', "const schema = z.string().min(1, 'Wool is required')", 'Wool is required'],
    ['as another value', 'const said = x ?? `Wool is ${x}`', 'Wool is'],
  ])('finds a text %s', (_where, code, text = 'Wool') => {
    expect(findTexts('a.tsx', `\n${code}`)).toEqual([`2: ${text}`]);
  });

  it.each([
    ['a text of the catalogue', '<p aria-label={t.wool}>{t.wool}</p>'],
    ['signs', "<p>{a} · {'›'} –</p>"],
    ['what is no text', '<input type="text" name="wool" className={styles.wool} role="status" />'],
    ['the message of an error', "throw new LoomError('Wool is out')"],
    ['the message of a kind of error', "class E extends Error { constructor() { super('Wool is out'); } }"],
    ['the kind of a toast', "notify.news('wool', t.wool, open)"],
    ['what a condition compares', "<p>{x === 'wool' ? t.a : t.b}</p>"],
    ["a page's name in the catalogue", "const page = { title: 'inbox', path: '/wool' };"],
  ])('lets %s stand', (_what, code) => {
    expect(findTexts('a.tsx', code)).toEqual([]);
  });
});
