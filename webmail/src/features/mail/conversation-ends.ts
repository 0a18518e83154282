import type { EmailDto } from '@selvage/core/contracts/email';
import { belongsTo, isInOwn } from './folder-rules.ts';
import { folderNames } from './folders.ts';
import { placedAt } from './row-words.ts';

/** A message of a conversation, or a further copy of one. */
type Item = EmailDto['twins'][number];

/** The folder that holds a message. Starred holds none. */
function folderOf(item: Item): string | undefined {
  if (item.own_folder && isInOwn(item.own_folder, item)) return `own:${item.own_folder}`;
  return folderNames.find((name) => name !== 'starred' && belongsTo(name, item));
}

/** The one that lists show above the other. With equal times, it is the one with the higher id. */
function laterOf(one: Item, other: Item): Item {
  if (placedAt(one) !== placedAt(other)) return placedAt(one) > placedAt(other) ? one : other;
  return BigInt(one._id) > BigInt(other._id) ? one : other;
}

/**
 * The newest message of a conversation in each of the folders it is in. A change of these and all
 * older ones covers the whole conversation, even messages that were not fetched with the open one.
 */
export function endsOf({ replies, twins, ...email }: EmailDto): Item[] {
  const byFolder = Map.groupBy<string | undefined, Item>([email, ...replies, ...twins], folderOf);
  return [...byFolder].flatMap(([folder, items]) => (folder === undefined ? [] : [items.reduce(laterOf)]));
}

/**
 * The newest message of the conversation in the folder of the open one, and how many messages that
 * folder has of it.
 */
export function endBeside({ replies, twins, ...email }: EmailDto): { newest: Item; number: number } {
  const folder = folderOf(email);
  const beside = [...replies, ...twins].filter((item) => folder !== undefined && folderOf(item) === folder);
  return { newest: beside.reduce<Item>(laterOf, email), number: beside.length + 1 };
}
