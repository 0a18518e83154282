import { UNSENT_CHANNEL } from '../../../lib/further-storage-keys.ts';
import { uniqueId } from '../../../lib/unique-id.ts';

/*
 * Which tab has which message open. A tab asks the others and waits a moment for the answers,
 * because browsers have no Web Locks on plain http. A sleeping tab does not answer. When it wakes,
 * the holder in the record keeps it from overwriting (kept-messages.ts).
 */

type Word =
  | { kind: 'who'; from: string }
  | { kind: 'open'; ids: string[]; to: string }
  /** The sending tab has taken over this message. */
  | { kind: 'taken'; id: string }
  /** The sending tab has kept, sent, discarded or closed a message. */
  | { kind: 'changed' };

const ANSWERS_WITHIN_MS = 250;
/**
 * How long an answer of a tab stays valid for later questions, in case that tab is slow to answer
 * them.
 */
const ANSWER_HOLDS_MS = 5000;

/** This tab. */
export const tabId = uniqueId();

interface Listener {
  /** The messages that are open here. */
  openIds: () => string[];
  onTaken: (id: string) => void;
  onChanged: () => void;
}

let channel: BroadcastChannel | null = null;
let questions = 0;
/** The messages that other tabs said they have open, with when they said so. */
const heard = new Map<string, number>();

/** Takes part in the messages between the tabs, until the returned function is called. */
export function joinTabs({ openIds, onTaken, onChanged }: Listener): () => void {
  const joined = new BroadcastChannel(UNSENT_CHANNEL);
  channel = joined;
  joined.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'who') say({ kind: 'open', ids: openIds(), to: data.from });
    else if (data.kind === 'taken') onTaken(data.id);
    else if (data.kind === 'changed') {
      heard.clear();
      onChanged();
    } else if (data.to === tabId && hear(data.ids)) onChanged();
  };
  return () => {
    joined.close();
    if (channel === joined) channel = null;
  };
}

/** Notes an answer. True if it came too late for its question and says something new. */
function hear(ids: readonly string[]): boolean {
  const holdsSince = Date.now() - ANSWER_HOLDS_MS;
  const isNew = ids.some((id) => (heard.get(id) ?? 0) < holdsSince);
  for (const id of ids) heard.set(id, Date.now());
  return questions === 0 && isNew;
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
  const holdsSince = Date.now() - ANSWER_HOLDS_MS;
  for (const [id, at] of heard) if (at < holdsSince) heard.delete(id);
  questions += 1;
  say({ kind: 'who', from: tabId });
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS));
  questions -= 1;
  return new Set(heard.keys());
}
