import { lazyExtra } from '../../components/lazy-extra.tsx';

/**
 * Covers any page while a call waits until the person has confirmed that it is them. `Afterwards`
 * imports it, and not the registry of pages, which is part of the first load.
 */
export const confirmDialog = lazyExtra(() => import('./security/ConfirmSessionDialog.tsx'), {
  onMissing: ({ call }) => call.end(false),
});
