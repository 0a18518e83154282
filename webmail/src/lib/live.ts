import { atom } from 'nanostores';

/**
 * Whether the server announces changes to this page at this moment, so that it need not ask often.
 */
export const isLive = atom(false);

/** How often to ask all the same, since a notice may be lost. */
export const LOOK_WHILE_LIVE_MS = 60_000;
