import { createContext } from 'react';

/**
 * True for what is shown over a page that stays open below it, and to which the person returns
 * afterwards.
 */
export const IsOverOpenPage = createContext(false);
