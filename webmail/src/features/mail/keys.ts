import type { MailPlace } from './mail-place.ts';

/** Keys of the mail queries. */
export const mailKeys = {
  lists: ['mail', 'list'] as const,
  /** All pages of a folder or a label. The key of one page has its query appended. */
  folder: (folder: MailPlace) => ['mail', 'list', folder] as const,
  drafts: ['mail', 'list', 'draft'] as const,
  scheduled: ['mail', 'list', 'scheduled'] as const,
  /** Begins like the keys of lists, so that a change of a message reaches search results too. */
  search: (query: Record<string, string | number>) => ['mail', 'list', 'search', query] as const,
  details: ['mail', 'detail'] as const,
  detail: (id: string) => ['mail', 'detail', id] as const,
  alones: ['mail', 'alone'] as const,
  alone: (id: string) => ['mail', 'alone', id] as const,
  /** A message without its markup. */
  asText: (id: string) => ['mail', 'as-text', id] as const,
  conversations: ['mail', 'conversation'] as const,
  conversation: (id: string) => ['mail', 'conversation', id] as const,
  totals: ['mail', 'totals'] as const,
  sentDeliveries: (ids: string) => ['mail', 'sent-deliveries', ids] as const,
};
