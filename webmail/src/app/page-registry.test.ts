import { describe, expect, it } from 'vitest';
import type { Page } from '../lib/page.ts';
import { pageAt, pages, routesOf } from './page-registry.ts';
import { topSearch } from './shell/top-search.ts';

function millPage(path: string): Page {
  return { path, frame: 'shell', title: 'home', load: () => Promise.reject(new Error('not shown here')) };
}

describe('the page at an address', () => {
  it('is the one of the fixed path, whichever is listed first', () => {
    const [record, fixed, deep] = ['/mills/:id', '/mills/map', '/mills/:id/looms'].map(millPage);
    for (const list of [
      [record, fixed, deep],
      [deep, fixed, record],
    ] as Page[][]) {
      const at = (path: string) => pageAt(path, routesOf(list));
      expect(at('/mills/map')?.page).toBe(fixed);
      expect(at('/mills/7')).toEqual({ page: record, params: { id: '7' } });
      expect(at('/mills/7/looms')?.page).toBe(deep);
      expect(at('/mills')).toBeNull();
    }
  });

  it('is that of each page without a record', () => {
    const fixed = pages.filter(({ path }) => !/[:*]/.test(path));
    expect(fixed.length).toBeGreaterThan(30);
    for (const page of fixed) expect(pageAt(page.path)?.page).toBe(page);
  });

  it('is one that exists, where the top bar leads', () => {
    expect(pageAt(topSearch.path)?.page.title).toBe('search');
  });

  it('names its record wherever it shows one', () => {
    expect(pages.filter(({ path, record }) => path.includes(':') !== Boolean(record))).toEqual([]);
  });
});
