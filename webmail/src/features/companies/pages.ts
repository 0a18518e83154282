import type { Page } from '../../lib/page.ts';
import { companiesKey, nameIn, recordKey } from '../../lib/record-keys.ts';

const needs = { model: 'company', action: 'view' } as const;

export const companyPages: Page[] = [
  {
    path: '/dashboard/company',
    frame: 'shell',
    title: 'companies',
    needs,
    navigation: { group: 'organisation', order: 20, icon: 'companies' },
    load: () => import('./CompaniesPage.tsx'),
  },
  {
    path: '/dashboard/company/:id',
    frame: 'shell',
    title: 'company',
    needs,
    record: ({ id = '' }) => ({ queryKey: recordKey(companiesKey, id), nameOf: nameIn }),
    load: () => import('./CompanyPage.tsx'),
  },
];
