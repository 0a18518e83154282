import { lazyExtra } from '../../components/lazy-extra.tsx';

/** The search through one's mail, in the top bar. */
export const searchBox = lazyExtra(() => import('./search/SearchBox.tsx'));

/** What stays while pages come and go, such as the messages that are being written. */
export const mailHost = lazyExtra(() => import('./MailHost.tsx'));
