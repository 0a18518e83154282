import type { EmailDto } from '@selvage/core/contracts/email';
import type { Params } from 'react-router-dom';
import type { Page, RecordName } from '../../lib/page.ts';
import { type Folder, folderNames, modelOf } from './folders.ts';
import { mailKeys } from './keys.ts';

const loadAround = () => import('./MailAround.tsx');
const loadFolder = () => import('./FolderPage.tsx');
const loadMessage = () => import('./DetailPage.tsx');

function subjectOfMessage({ id = '' }: Params): RecordName {
  return { queryKey: mailKeys.detail(id), nameOf: (data) => (data as EmailDto | undefined)?.subject.trim() || null };
}

const extras = {
  inbox: { badge: () => import('./UnreadBadge.tsx'), below: () => import('./MailboxRoom.tsx') },
  junk: { badge: () => import('./JunkBadge.tsx') },
};
const places: Record<Folder, number> = { inbox: 0, starred: 10, sent: 20, archive: 30, junk: 32, trash: 40 };

function folderPages(folder: Folder): Page[] {
  const path = `/dashboard/${folder}`;
  const common = {
    frame: 'shell',
    needs: { model: modelOf(folder), action: 'view' },
    isNext: folder === 'inbox',
    around: loadAround,
  } as const;
  return [
    {
      ...common,
      path,
      title: folder,
      navigation: {
        group: 'mail',
        order: places[folder],
        icon: folder,
        ...((folder === 'inbox' || folder === 'junk') && extras[folder]),
      },
      load: loadFolder,
    },
    { ...common, path: `${path}/:id`, title: 'message', record: subjectOfMessage, load: loadMessage },
  ];
}

const draftsPage: Page = {
  path: '/dashboard/draft',
  frame: 'shell',
  title: 'drafts',
  needs: { model: 'draft', action: 'view' },
  navigation: { group: 'mail', order: 35, icon: 'draft' },
  load: () => import('./DraftsPage.tsx'),
};

const scheduledPages: Page[] = [
  {
    path: '/dashboard/scheduled',
    frame: 'shell',
    title: 'scheduled',
    needs: { model: 'sent', action: 'view' },
    navigation: { group: 'mail', order: 25, icon: 'scheduled', isMinor: true },
    load: () => import('./scheduled/ScheduledPage.tsx'),
  },
  {
    path: '/dashboard/scheduled/:id',
    frame: 'shell',
    title: 'message',
    needs: { model: 'sent', action: 'view' },
    record: subjectOfMessage,
    load: () => import('./scheduled/ScheduledMessagePage.tsx'),
  },
];

const searchPage: Page = {
  path: '/dashboard/search',
  frame: 'shell',
  title: 'search',
  needs: { model: 'inbox', action: 'view' },
  load: () => import('./search/SearchPage.tsx'),
};

export const mailPages: Page[] = [...folderNames.flatMap(folderPages), ...scheduledPages, draftsPage, searchPage];
