import { lazyExtra } from '../../components/lazy-extra.tsx';

/** Stands over any page while a call waits until the person has confirmed that it is them. */
export const confirmDialog = lazyExtra(() => import('./security/ConfirmSessionDialog.tsx'));
