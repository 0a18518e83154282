import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { z } from 'zod';
import { notify } from '../components/feedback/notify.ts';
import { api } from './api.ts';
import { failureMessage, messageOf } from './api-error.ts';
import { stillHere } from './still-here.ts';

/** A call about one record that needs nothing but its id. */
type RecordCall = Endpoint<z.ZodObject<{ id: z.ZodString }>, z.ZodUndefined, z.ZodUndefined>;

interface Act {
  call: RecordCall;
  id: string;
  /** What the toast says when it is done. */
  said: string;
  /** What it says when that fails and the server gives no reason of its own. */
  failed?: string;
  /** Of `useChanged`. */
  tellChanged: (said: string) => Promise<void>;
  /** Leads away from the record's own page when it is done, if the person is still there. */
  onDone?: (() => void) | undefined;
}

/** Does something to a record, such as deleting it, and says so. */
export async function actOnRecord({ call, id, said, failed, tellChanged, onDone }: Act): Promise<void> {
  const isHere = stillHere();
  await api(call, { params: { id } }).catch((error: unknown) => {
    const text = failed === undefined ? messageOf(error) : failureMessage(error, failed);
    throw text === messageOf(error) ? error : new Error(text, { cause: error });
  });
  // The page of a record that is gone must not fetch it again
  if (isHere()) onDone?.();
  await tellChanged(said);
}

/** What `actAtOnce` is doing, by call and record. */
const underWay = new Set<string>();

/**
 * As `actOnRecord`, for a call that no dialog waits for: a toast tells a failure. A second press
 * while the first is under way does nothing, since the server would refuse it.
 */
export function actAtOnce(act: Act): void {
  const key = `${act.call.method} ${act.call.path} ${act.id}`;
  if (underWay.has(key)) return;
  underWay.add(key);
  void actOnRecord(act)
    .catch((error: unknown) => notify.error(error))
    .finally(() => underWay.delete(key));
}
