import { lazyExtra } from '../../components/lazy-extra.tsx';
import { AwaitedSearchBox } from './search/AwaitedSearchBox.tsx';

/** The mail search in the top bar. */
export const searchBox = lazyExtra(() => import('./search/SearchBox.tsx'), { Waiting: AwaitedSearchBox });

/** The parts that stay while pages change, such as the messages that are being written. */
export const mailHost = lazyExtra(() => import('./MailHost.tsx'));
