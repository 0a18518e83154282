import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';

/** When the present hour of the device's clock began. */
export const thisHour = (): number => new Date().setMinutes(0, 0, 0);

/** The hour that the page knows of; `keepHour` follows the clock. */
export const hour = atom(thisHour());

/**
 * Draws the component anew when an hour begins: what it says of a time, such as "tomorrow", may be
 * false by then.
 */
export const useHourly = (): number => useStore(hour);
