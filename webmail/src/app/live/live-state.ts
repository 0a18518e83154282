import { atom } from 'nanostores';

/** Whether the live connection has been lost for a while, so that new mail may appear late. */
export const isLiveLost = atom(false);
