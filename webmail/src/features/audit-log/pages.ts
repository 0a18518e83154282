import type { Page } from '../../lib/page.ts';

export const auditLogPages: Page[] = [
  {
    path: '/dashboard/audit',
    frame: 'shell',
    title: 'auditLog',
    needs: { model: 'permission', action: 'view' },
    navigation: { group: 'organisation', order: 60, icon: 'auditLog' },
    load: () => import('./AuditLogPage.tsx'),
  },
];
