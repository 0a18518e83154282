import type { ClientDetailDto } from '@selvage/core/contracts/clients';
import type { Page } from '../../lib/page.ts';
import { nameOfClient } from './client-name.ts';

const needs = { model: 'clients', action: 'view' } as const;

/** A client is known by two addresses. */
function clientPage(path: string): Page {
  return {
    path,
    frame: 'shell',
    title: 'client',
    needs,
    record: ({ id = '' }) => ({
      queryKey: ['clients', 'record', id],
      nameOf: (data) => (data ? nameOfClient(data as ClientDetailDto) : null),
    }),
    load: () => import('./ClientPage.tsx'),
  };
}

export const clientPages: Page[] = [
  {
    path: '/dashboard/client',
    frame: 'shell',
    title: 'clients',
    needs,
    navigation: { group: 'organisation', order: 10, icon: 'clients' },
    load: () => import('./ClientsPage.tsx'),
  },
  clientPage('/dashboard/client/view/:id'),
  clientPage('/dashboard/client/:id'),
];
