import type { Page } from '../../lib/page.ts';
import type { PageTitle } from '../../words/pages.ts';
import { mailPages } from './pages.ts';

/** The keys that follow `g`, and the titles of the pages that they lead to. */
const letters: Record<string, PageTitle> = {
  i: 'inbox',
  b: 'snoozed',
  s: 'starred',
  t: 'sent',
  l: 'scheduled',
  a: 'archive',
  d: 'draft',
  j: 'junk',
  h: 'trash',
};

export interface GoKey {
  keys: string;
  page: Page;
}

/** Two keys after another, for each folder of the navigation. */
export const goKeys: GoKey[] = Object.entries(letters).flatMap(([letter, title]) => {
  const page = mailPages.find((page) => page.title === title);
  return page ? [{ keys: `g${letter}`, page }] : [];
});
