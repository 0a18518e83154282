import { hour, thisHour } from '../hooks/use-hourly.ts';

const LOOK_EVERY_MS = 60_000;

/** Follows the device's clock, also when the page comes back into view after its timers slept. */
export function keepHour(): () => void {
  const look = (): void => hour.set(thisHour());
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
