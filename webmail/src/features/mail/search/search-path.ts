/** Where all mail is searched. */
export const SEARCH_PATH = '/dashboard/search';
