import { count, params, words } from '../lib/i18n.ts';

/** What is asked before messages of the trash, or Junk, are gone for good, and said then. */
export const trashWords = words('trash', {
  empty: 'Empty Trash',
  emptyTitle: 'Empty the trash?',
  emptyJunk: 'Empty Junk',
  emptyJunkTitle: 'Empty Junk?',
  emptyAllText: 'All of its messages will be gone for good.',
  emptyText: count({
    one: '{count} message will be gone for good.',
    other: '{count} messages will be gone for good.',
  }),
  emptied: count({ one: '{count} message deleted for good', other: '{count} messages deleted for good' }),
  delete: 'Delete for good',
  deleteTitle: count({ one: 'Delete this message for good?', other: 'Delete {count} messages for good?' }),
  deleteText: 'That can’t be undone.',
  deleted: count({ one: 'Deleted for good', other: 'Deleted for good: {count} messages' }),
  partDeleted: params('Deleted for good: {done} of {number} messages. The others have left the folder.'),
  noneDeleted: 'Nothing was deleted: what you chose has left the folder.',
});
