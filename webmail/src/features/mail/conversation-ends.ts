import type { EmailDto } from '@selvage/core/contracts/email';
import { belongsTo, isInOwn } from './folder-rules.ts';
import { folderNames } from './folders.ts';
import { placedAt } from './row-words.ts';

/** A message of a conversation. */
type Item = Omit<EmailDto['replies'][number], 'snippet' | 'doubt'>;

/** The folder that holds a message. Starred holds none. */
function folderOf(item: Item): string | undefined {
  if (item.own_folder && isInOwn(item.own_folder, item)) return `own:${item.own_folder}`;
  return folderNames.find((name) => name !== 'starred' && belongsTo(name, item));
}

function isBehind(one: Item, other: Item): boolean {
  if (placedAt(one) !== placedAt(other)) return placedAt(one) > placedAt(other);
  return BigInt(one._id) > BigInt(other._id);
}

/**
 * The newest message of a conversation in each of the folders it is in. A change of these with all
 * that is older reaches the whole conversation, also what was not fetched with the open message.
 */
export function endsOf({ replies, ...email }: EmailDto): Item[] {
  const byFolder = Map.groupBy([email, ...replies], folderOf);
  return [...byFolder].flatMap(([folder, items]) =>
    folder === undefined ? [] : [items.reduce((one, other) => (isBehind(other, one) ? other : one))],
  );
}
