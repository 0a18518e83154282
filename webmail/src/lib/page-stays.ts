import { createContext } from 'react';

/** True for what is shown over a page that stays open below, and that the person goes on with afterwards. */
export const PageStays = createContext(false);
