import { reach, watchConnection } from '../../lib/connection.ts';
import { catchUp } from './catch-up.ts';

/** Watches whether the server can be reached, and fetches all shown data again when it is back. */
export function followConnection(): () => void {
  const stopWatching = watchConnection();
  const unsubscribe = reach.listen((now) => {
    if (now === 'up') catchUp();
  });
  return () => {
    stopWatching();
    unsubscribe();
  };
}
