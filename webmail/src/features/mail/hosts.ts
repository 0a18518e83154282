import { lazyExtra } from '../../components/lazy-extra.tsx';

/** The search through one's mail, in the top bar. */
export const searchBox = lazyExtra(() => import('./search/SearchBox.tsx'));

/** The messages that are being written: they stay while pages come and go. */
export const composeHost = lazyExtra(() => import('./compose/ComposeHost.tsx'));

/** How many messages are unread, where the person sees it without looking at the page. */
export const unreadSign = lazyExtra(() => import('./UnreadSign.tsx'));
