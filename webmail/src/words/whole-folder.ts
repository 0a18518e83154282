import { count, params, words } from '../lib/i18n.ts';

/** Texts of a change that reaches all messages of a folder. */
export const wholeFolderWords = words('whole-folder', {
  pageMessages: count({
    one: 'The message on this page is selected.',
    other: 'All {count} messages on this page are selected.',
  }),
  pageConversations: count({
    one: 'The conversation on this page is selected.',
    other: 'All {count} conversations on this page are selected.',
  }),
  selectAll: params('Select all {number} in {folder}'),
  allMessages: params('All {number} messages in {folder} are selected.'),
  allConversations: params('All {number} conversations in {folder} are selected.'),
  clear: 'Clear selection',
  counting: 'Counting…',
  archiveTitle: count({ one: 'Archive {count} message?', other: 'Archive all {count} messages?' }),
  unArchiveTitle: count({
    one: 'Move {count} message out of the archive?',
    other: 'Move all {count} messages out of the archive?',
  }),
  trashTitle: count({ one: 'Delete {count} message?', other: 'Delete all {count} messages?' }),
  restoreTitle: count({ one: 'Restore {count} message?', other: 'Restore all {count} messages?' }),
  junkTitle: count({ one: 'Report {count} message as junk?', other: 'Report all {count} messages as junk?' }),
  notJunkTitle: count({ one: 'Move {count} message out of Junk?', other: 'Move all {count} messages out of Junk?' }),
  deleteTitle: count({ one: 'Delete {count} message for good?', other: 'Delete all {count} messages for good?' }),
  readTitle: count({ one: 'Mark {count} message as read?', other: 'Mark all {count} messages as read?' }),
  unreadTitle: count({ one: 'Mark {count} message as unread?', other: 'Mark all {count} messages as unread?' }),
  starTitle: count({ one: 'Star {count} message?', other: 'Star all {count} messages?' }),
  unstarTitle: count({
    one: 'Remove the star from {count} message?',
    other: 'Remove the star from all {count} messages?',
  }),
  moveTitle: params('Move {messages} to “{name}”?'),
  moveOutTitle: count({
    one: 'Move {count} message out of its folder?',
    other: 'Move all {count} messages out of this folder?',
  }),
  allOf: count({ one: '{count} message', other: 'all {count} messages' }),
  messages: count({ one: '{count} message', other: '{count} messages' }),
  move: 'Move',
  moved: params('Moved to “{name}”: {messages}'),
  movedOut: count({ one: 'Moved out: {count} message', other: 'Moved out: {count} messages' }),
  labelTitle: params('Put the label “{name}” on {messages}?'),
  unlabelTitle: params('Remove the label “{name}” from {messages}?'),
  label: 'Label all',
  unlabel: 'Remove from all',
  labelled: params('Label “{name}” added: {messages}'),
  unlabelled: params('Label “{name}” removed: {messages}'),
  text: params(
    'This applies to every message in {folder}, on all pages. Mail that comes in from now on stays as it is.',
  ),
  noUndo: count({
    one: 'A change of more than {count} message can’t be taken back with Undo.',
    other: 'A change of more than {count} messages can’t be taken back with Undo.',
  }),
  forGood: 'That can’t be undone.',
  progress: params('{done} of {total} done'),
  stopped: count({ one: 'Stopped after {count} message', other: 'Stopped after {count} messages' }),
  deleted: count({ one: 'Deleted for good', other: 'Deleted for good: {count} messages' }),
  nothing: 'Nothing had to be changed',
  undone: count({ one: 'Put back: {count} message', other: 'Put back: {count} messages' }),
});
