import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { START } from '../src/lib/landing.ts';
import { storageKeys } from '../src/lib/storage-keys.ts';

const site = join(import.meta.dirname, '../site');
const publicFiles = join(import.meta.dirname, '../public');
const pages = readdirSync(site).filter((name) => name.endsWith('.html'));
/** All that a page needs, as it lies on the disk. */
const MOST_BYTES = 60 * 1024;

const read = (name: string, folder = site): string => readFileSync(join(folder, name), 'utf8');
const localFiles = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="\/([\w-]+\.\w+)"/g)].map(([, name = '']) => name);
const partOf = (html: string, tag: string): string =>
  (new RegExp(`<${tag} class[\\s\\S]*?</${tag}>`).exec(html)?.[0] ?? '').replace(' aria-current="page"', '');

describe('the shipped public site', () => {
  it('weighs at most 60 KB a page, with its styles and scripts, uncompressed', () => {
    expect(pages.toSorted()).toEqual(['contact-us.html', 'index.html', 'product-list.html']);
    for (const page of pages) {
      const files = localFiles(read(page)).filter((name) => !name.endsWith('.svg'));
      expect(files).toContain('site.css');
      const own = new Set(readdirSync(site));
      const texts = [read(page), ...files.map((name) => read(name, own.has(name) ? site : publicFiles))];
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      expect({ page, isLight: bytes <= MOST_BYTES, bytes }).toMatchObject({ isLight: true });
    }
  });

  it('has one head and one foot, which mark the page that is shown', () => {
    const [first = ''] = pages.map((page) => read(page));
    for (const page of pages) {
      for (const tag of ['header', 'footer']) expect(partOf(read(page), tag)).toBe(partOf(first, tag));
      const current = /<a href="([^"]+)" aria-current="page">/.exec(read(page))?.[1];
      expect(current).toBe(page === 'index.html' ? undefined : `/${page.replace('.html', '')}`);
    }
  });

  it('leads to parts of its pages that are there', () => {
    for (const page of pages) {
      for (const [, path = '', part = ''] of read(page).matchAll(/href="(\/[\w-]*)?#([\w-]+)"/g)) {
        // A drawing repeats its own parts
        const target = path === '' ? page : `${path.slice(1) || 'index'}.html`;
        expect([page, part, read(target).includes(`id="${part}"`)]).toEqual([page, part, true]);
      }
    }
  });

  it('has no inline script or style, no name of another host, and no named field', () => {
    for (const page of pages) {
      expect(read(page)).not.toMatch(
        /<style|style="|\son\w+="|<script>|https?:|\sname="(?!viewport|color-scheme|description)/,
      );
    }
  });

  it('knows where the app keeps the session, and where it takes people who are logged in', () => {
    const script = read('signed-in.js', publicFiles);
    expect(script).toContain(`localStorage.getItem('${storageKeys.auth}')`);
    expect(script).toContain(`location.replace('${START}')`);
  });

  it('computes the denier of yarns from their count and of filaments', () => {
    const rows = [...read('product-list.html').matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>([^<]*)<\/t[hd]>/g)].map(([, cell = '']) => cell),
    );
    let seen = 0;
    for (const cells of rows) {
      const at = cells.findIndex((cell) => /^Ne \d+\/\d$/.test(cell));
      const [, count, ply] = /^Ne (\d+)\/(\d)$/.exec(cells[at] ?? '') ?? [];
      if (count)
        expect([cells[at + 2], Number(cells[at + 1])]).toEqual([ply, Math.round((5315 / Number(count)) * Number(ply))]);
      const [, denier, filaments] = /^(?:2 × )?(\d+) \/ (\d+)$/.exec(cells[0] ?? '') ?? [];
      if (denier) expect(Math.abs(Number(cells[1]) - Number(denier) / Number(filaments))).toBeLessThan(0.0051);
      if (count || denier) seen += 1;
    }
    expect(seen).toBeGreaterThan(50);
  });
});
