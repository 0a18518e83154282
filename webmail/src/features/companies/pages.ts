import type { Page } from '../../lib/page.ts';
import { companiesKey, nameIn, recordKey } from '../../lib/record-keys.ts';

/** The address that opens the form of a new company. */
export const newCompanyPath = '/dashboard/company/create';

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
    // The list, with the form of a new company over it
    path: newCompanyPath,
    frame: 'shell',
    title: 'companies',
    needs,
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
