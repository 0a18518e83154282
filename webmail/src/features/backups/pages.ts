import type { Page } from '../../lib/page.ts';
import { backupsKey, recordKey, subjectIn } from '../../lib/record-keys.ts';

// One module for all of them: a person who opens one opens the others
const shared = {
  frame: 'shell',
  needs: { model: 'backup', action: 'view' },
  load: () => import('./BackupPage.tsx'),
} as const;
const path = '/dashboard/backup';

export const backupPages: Page[] = [
  { ...shared, path, title: 'backup', navigation: { group: 'mail', order: 50, icon: 'backup', isMinor: true } },
  { ...shared, path: `${path}/backup_emails`, title: 'backupMail' },
  {
    ...shared,
    path: `${path}/backup_emails/:id`,
    title: 'message',
    record: ({ id = '' }) => ({ queryKey: recordKey(backupsKey, id), nameOf: subjectIn }),
  },
];
