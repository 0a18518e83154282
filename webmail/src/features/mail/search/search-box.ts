import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { AwaitedSearchBox } from './AwaitedSearchBox.tsx';

/** The mail search in the top bar. */
export const searchBox = lazyExtra(() => import('./SearchBox.tsx'), { Waiting: AwaitedSearchBox });
