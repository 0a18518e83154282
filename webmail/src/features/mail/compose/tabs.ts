import { uniqueId } from '../../../lib/unique-id.ts';

/*
 * Which tab has which message open. A tab asks the others and waits a moment for the answers:
 * browsers have no locks on plain http. A tab that sleeps does not answer; the holder in the record
 * keeps it from overwriting when it wakes (kept-messages.ts).
 */

type Word =
  | { kind: 'who'; from: string }
  | { kind: 'open'; ids: string[]; to: string }
  /** A message is another tab's now. */
  | { kind: 'taken'; id: string }
  /** Something was kept, sent, discarded or closed. */
  | { kind: 'changed' };

const ANSWERS_WITHIN_MS = 250;

/** This tab. */
export const tabId = uniqueId();

interface Listener {
  /** The messages that are open here. */
  openIds: () => string[];
  onTaken: (id: string) => void;
  onChanged: () => void;
}

let channel: BroadcastChannel | null = null;
/** One for each question that still waits for answers. */
const answers = new Set<Set<string>>();

/** Takes part in the talk of the tabs, until the returned function is called. */
export function joinTabs({ openIds, onTaken, onChanged }: Listener): () => void {
  const joined = new BroadcastChannel('selvage.unsent');
  channel = joined;
  joined.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'who') say({ kind: 'open', ids: openIds(), to: data.from });
    else if (data.kind === 'taken') onTaken(data.id);
    else if (data.kind === 'changed') onChanged();
    else if (data.to === tabId) for (const ids of answers) for (const id of data.ids) ids.add(id);
  };
  return () => {
    joined.close();
    if (channel === joined) channel = null;
  };
}

function say(word: Word): void {
  channel?.postMessage(word);
}

export function sayTaken(id: string): void {
  say({ kind: 'taken', id });
}

export function sayChanged(): void {
  say({ kind: 'changed' });
}

/** The messages that are open in other tabs. */
export async function openElsewhere(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  answers.add(ids);
  say({ kind: 'who', from: tabId });
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS));
  answers.delete(ids);
  return ids;
}
