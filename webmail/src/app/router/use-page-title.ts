import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Params } from 'react-router-dom';
import { useWords } from '../../lib/i18n.ts';
import type { Page } from '../../lib/page.ts';
import { nameTab } from '../../lib/tab-title.ts';
import { pageWords } from '../../words/pages.ts';

/**
 * The name of the record that a page shows. Null before the page has fetched it, and for pages
 * without a record.
 */
export function useRecordName(page: Page | undefined, params: Params): string | null {
  const client = useQueryClient();
  const record = page?.record?.(params);
  const subscribe = useCallback((listener: () => void) => client.getQueryCache().subscribe(listener), [client]);
  return useSyncExternalStore(subscribe, () => record?.nameOf(client.getQueryData(record.queryKey)) ?? null);
}

/**
 * Names the tab after the page, or after the record that it shows. It runs before the effects of
 * the page itself, which may set a more precise title.
 */
export function usePageTitle(page: Page, params: Params): void {
  const t = useWords(pageWords);
  const name = useRecordName(page, params) ?? t[page.title];
  useLayoutEffect(() => {
    const before = nameTab(`${name} · Selvage`);
    // When a page over another closes, the title of the lower one returns
    return () => {
      nameTab(before);
    };
  }, [name]);
}
