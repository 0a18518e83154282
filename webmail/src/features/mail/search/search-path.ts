/** Where all mail is searched. */
export const searchPath = '/dashboard/search';
