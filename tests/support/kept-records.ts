import type { Page } from 'playwright-core';

/**
 * Reads the records of a page's IndexedDB whose keys begin with `prefix`. Empty when the app has
 * not made the database yet. Making it here would leave it without the app's object store for good.
 */
export async function keptRecords(page: Page, database: string, store: string, prefix = ''): Promise<unknown[]> {
  return await page.evaluate<unknown[]>(`new Promise((resolve, reject) => {
    const open = indexedDB.open('${database}');
    open.onupgradeneeded = () => open.transaction.abort();
    open.onerror = () => (open.error.name === 'AbortError' ? resolve([]) : reject(open.error));
    open.onsuccess = () => {
      const range = IDBKeyRange.bound('${prefix}', '${prefix}\uffff');
      const asked = open.result.transaction('${store}').objectStore('${store}').getAll(range);
      asked.onsuccess = () => {
        open.result.close();
        resolve(asked.result);
      };
    };
  })`);
}
