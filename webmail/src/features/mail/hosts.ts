import { lazyExtra } from '../../components/lazy-extra.tsx';
import { AwaitedSearchBox } from './search/AwaitedSearchBox.tsx';

/** The search through one's mail, in the top bar. */
export const searchBox = lazyExtra(() => import('./search/SearchBox.tsx'), AwaitedSearchBox);

/** What stays while pages come and go, such as the messages that are being written. */
export const mailHost = lazyExtra(() => import('./MailHost.tsx'));
