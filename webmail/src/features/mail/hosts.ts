import { lazyExtra } from '../../components/lazy-extra.tsx';

/** The messages that are being written: they stay while pages come and go. */
export const composeHost = lazyExtra(() => import('./compose/ComposeHost.tsx'));
