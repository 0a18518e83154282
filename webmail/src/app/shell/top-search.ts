import { searchBox } from '../../features/mail/search/search-box.ts';
import { SEARCH_PATH } from '../../features/mail/search/search-path.ts';

/** The search box of the top bar, and the page that takes its place on a narrow screen. */
export const topSearch = { Box: searchBox, path: SEARCH_PATH };
