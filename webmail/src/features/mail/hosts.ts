import { lazyExtra } from '../../components/lazy-extra.tsx';
import { forgetWithPerson } from '../../lib/forget.ts';
import { closeCompose } from './compose/compose-store.ts';

forgetWithPerson(closeCompose);

/** The messages that are being written: they stay while pages come and go. */
export const composeHost = lazyExtra(() => import('./compose/ComposeHost.tsx'));
