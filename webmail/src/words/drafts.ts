import { count, words } from '../lib/i18n.ts';

/** The list of drafts. */
export const draftWords = words('drafts', {
  title: 'Draft Mail',
  count: count({ one: '{count} draft', other: '{count} drafts' }),
  hint: 'A message that you close before it is sent waits here.',
  selected: 'Selected drafts',
  delete: 'Delete',
  deleteTitle: count({ one: 'Delete this draft?', other: 'Delete {count} drafts?' }),
  deleteText: 'What was written, with its files, will be gone for good.',
  deleted: count({ one: 'Draft deleted', other: '{count} drafts deleted' }),
});
