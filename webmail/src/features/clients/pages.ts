import type { ClientDetailDto } from '@selvage/core/contracts/clients';
import type { Page } from '../../lib/page.ts';

const needs = { model: 'clients', action: 'view' } as const;

// The pages of all features are in the first script, and bring along nothing of theirs
const nameOf = (client: ClientDetailDto | undefined): string | null =>
  client ? `${client.fname} ${client.lname ?? ''}`.trim() : null;

/** A client is known by two addresses. */
function clientPage(path: string): Page {
  return {
    path,
    frame: 'shell',
    title: 'client',
    needs,
    record: ({ id = '' }) => ({
      queryKey: ['clients', 'record', id],
      nameOf: (data) => nameOf(data as ClientDetailDto | undefined),
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
