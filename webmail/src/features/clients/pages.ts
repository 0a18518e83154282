import type { Page } from '../../lib/page.ts';
import { clientsKey, nameIn, recordKey } from '../../lib/record-keys.ts';

const common = { frame: 'shell', needs: { model: 'clients', action: 'view' } } as const;

/** One client, which is known by two addresses. */
const record: Omit<Page, 'path'> = {
  ...common,
  title: 'client',
  record: ({ id = '' }) => ({ queryKey: recordKey(clientsKey, id), nameOf: nameIn }),
  load: () => import('./ClientPage.tsx'),
};

export const clientPages: Page[] = [
  {
    ...common,
    path: '/dashboard/client',
    title: 'clients',
    navigation: { group: 'organisation', order: 10, icon: 'clients' },
    load: () => import('./ClientsPage.tsx'),
  },
  { ...record, path: '/dashboard/client/view/:id' },
  { ...record, path: '/dashboard/client/:id' },
];
