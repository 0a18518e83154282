import { wordsOf } from '../../lib/i18n.ts';
import type { Page } from '../../lib/page.ts';
import { domainsKey, guideKey, nameIn, recordKey } from '../../lib/record-keys.ts';
import { pageWords } from '../../words/pages.ts';

const needs = { model: 'domain', action: 'view' } as const;

/** Says which of the two pages of the domain it is. */
function nameOfGuide(data: unknown): string | null {
  const name = nameIn(data);
  return name && `${wordsOf(pageWords).setupGuide}: ${name}`;
}

export const domainPages: Page[] = [
  {
    path: '/dashboard/domain',
    frame: 'shell',
    title: 'domains',
    needs,
    navigation: { group: 'organisation', order: 25, icon: 'domains' },
    load: () => import('./DomainsPage.tsx'),
  },
  {
    path: '/dashboard/domain/health',
    frame: 'shell',
    title: 'domainHealth',
    needs,
    load: () => import('./HealthPage.tsx'),
  },
  {
    path: '/dashboard/domain/setup_guide/:id',
    frame: 'shell',
    title: 'setupGuide',
    needs,
    record: ({ id = '' }) => ({ queryKey: guideKey(id), nameOf: nameOfGuide }),
    load: () => import('./SetupGuidePage.tsx'),
  },
  {
    path: '/dashboard/domain/:id',
    frame: 'shell',
    title: 'domain',
    needs,
    record: ({ id = '' }) => ({ queryKey: recordKey(domainsKey, id), nameOf: nameIn }),
    load: () => import('./DomainPage.tsx'),
  },
];
