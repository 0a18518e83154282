import type { CompanyDto } from '@selvage/core/contracts/companies';
import { companiesKey } from '../../lib/companies.ts';
import type { Page } from '../../lib/page.ts';

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
    record: ({ id = '' }) => ({
      queryKey: [...companiesKey, 'record', id],
      nameOf: (data) => (data as CompanyDto | undefined)?.name ?? null,
    }),
    load: () => import('./CompanyPage.tsx'),
  },
];
