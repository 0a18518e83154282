import { lazyMenu } from '../LazyMenu.tsx';

/** The menu of a row, fetched when the pointer or the focus comes near its button. */
export const rowMenu = lazyMenu(() => import('./RowMenu.tsx'));
