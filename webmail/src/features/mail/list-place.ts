import { forgetWithPerson } from '../../lib/forget.ts';

/** Where a person was in a list. It is restored when they return from a message. */
interface Place {
  scrollTop: number;
  /**
   * The row that had the focus, and its position. The position is needed if the row was archived
   * from within the message.
   */
  rowId: string | null;
  index: number;
}

const MOST = 50;
const places = new Map<string, Place>();
forgetWithPerson(() => places.clear());

/** Remembers the place in a list by the list's address. The oldest are forgotten. */
export function rememberPlace(address: string, place: Place): void {
  places.delete(address);
  places.set(address, place);
  const [oldest] = places.keys();
  if (places.size > MOST && oldest !== undefined) places.delete(oldest);
}

export function placeIn(address: string): Place | undefined {
  return places.get(address);
}
