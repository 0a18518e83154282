import type { BlobStore } from '@selvage/core/context/app';

/** The same store with some of its methods replaced. */
export function blobStoreWith(store: BlobStore, overrides: Partial<BlobStore>): BlobStore {
  return {
    put: (source) => store.put(source),
    get: (key, range) => store.get(key, range),
    read: (key) => store.read(key),
    has: (key) => store.has(key),
    stillHas: (key) => store.stillHas(key),
    remove: (key) => store.remove(key),
    list: (prefix) => store.list(prefix),
    stat: (key) => store.stat(key),
    removeUnfinished: () => store.removeUnfinished(),
    ...overrides,
  };
}
