import type { Page } from '../../lib/page.ts';
import { domainsKey, nameIn, recordKey } from '../../lib/record-keys.ts';

const needs = { model: 'domain', action: 'view' } as const;

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
