import { count, params, words } from '../lib/i18n.ts';

/** Texts that all lists share. */
export const listWords = words('lists', {
  search: 'Search',
  clearFilters: 'Clear Filters',
  all: 'All',
  number: '#',
  sort: 'Sort by',
  ascending: params('{column}, ascending'),
  descending: params('{column}, descending'),
  actions: 'Actions',
  actionsFor: params('Actions for {name}'),
  select: params('Select {name}'),
  selectPage: 'Select all on this page',
  selected: count({ one: '{count} selected', other: '{count} selected' }),
  rowsPerPage: 'Rows per page',
  pages: 'Pages',
  range: params('{first}–{last} of {total}'),
  previousPage: 'Previous page',
  nextPage: 'Next page',
  total: count({ one: '{count} in all', other: '{count} in all' }),
  export: 'Export',
  exportCut: count({ one: 'Only the first row was exported', other: 'Only the first {count} rows were exported' }),
  nothingFound: 'Nothing found',
  typeToFind: count({ one: '{count} more: type to find it', other: '{count} more: type to find them' }),
  loading: params('Loading: {what}'),
});
