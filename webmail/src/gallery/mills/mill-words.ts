import { params, words } from '../../lib/i18n.ts';

/** Texts of the mills. */
export const millWords = words('mills', {
  title: 'Mill Management',
  add: 'Add New Mill',
  search: 'Search mills',
  name: 'Mill',
  town: 'Town',
  state: 'Status',
  running: 'Running',
  starting: 'Starting',
  stopped: 'Stopped',
  sold: 'Sold',
  spindles: 'Spindles',
  opened: 'Opened',
  none: 'No mills found',
  noneFound: 'No mills found matching your search',
  hint: 'A mill spins what you sell. Add the first one to order from it.',
  created: 'Mill created',
  deleted: 'Mill deleted',
  deleteTitle: 'Delete this mill?',
  deleteText: params('{name} and its orders will be gone.'),
});
