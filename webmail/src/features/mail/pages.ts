import type { LabelDto } from '@selvage/core/contracts/labels';
import type { OwnFolderDto } from '@selvage/core/contracts/own-folders';
import type { Params } from 'react-router-dom';
import type { Page, RecordName } from '../../lib/page.ts';
import { subjectIn } from '../../lib/record-keys.ts';
import { type Folder, folderNames, modelOf } from './folders.ts';
import { mailKeys } from './keys.ts';
import { SEARCH_PATH } from './search/search-path.ts';

const loadAround = () => import('./MailAround.tsx');
const loadFolder = () => import('./FolderPage.tsx');
const loadMessage = () => import('./DetailPage.tsx');

function subjectOfMessage({ id = '' }: Params): RecordName {
  return { queryKey: mailKeys.detail(id), nameOf: subjectIn };
}

const extras = {
  inbox: { badge: () => import('./UnreadBadge.tsx'), below: () => import('./labels/BelowFolders.tsx') },
  junk: { badge: () => import('./JunkBadge.tsx') },
};
const places: Record<Folder, number> = {
  inbox: 0,
  snoozed: 5,
  starred: 10,
  sent: 20,
  archive: 30,
  junk: 32,
  trash: 40,
};

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
        ...(folder === 'snoozed' && { isMinor: true }),
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
  title: 'draft',
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

const labelPage: Page = {
  path: '/dashboard/label/:id',
  frame: 'shell',
  title: 'label',
  record: ({ id = '' }) => ({
    queryKey: mailKeys.totals,
    nameOf: (data) => (data as { labels: LabelDto[] } | undefined)?.labels.find(({ _id }) => _id === id)?.name ?? null,
  }),
  needs: { model: 'inbox', action: 'view' },
  around: loadAround,
  load: loadFolder,
};

const ownFolderPage: Page = {
  path: '/dashboard/folder/:id',
  frame: 'shell',
  title: 'folder',
  record: ({ id = '' }) => ({
    queryKey: mailKeys.totals,
    nameOf: (data) => {
      const folders = (data as { own_folders: OwnFolderDto[] } | undefined)?.own_folders;
      return folders?.find(({ _id }) => _id === id)?.name ?? null;
    },
  }),
  needs: { model: 'inbox', action: 'view' },
  around: loadAround,
  load: loadFolder,
};

const searchPage: Page = {
  path: SEARCH_PATH,
  frame: 'shell',
  title: 'search',
  needs: { model: 'inbox', action: 'view' },
  around: loadAround,
  load: () => import('./search/SearchPage.tsx'),
};

export const mailPages: Page[] = [
  ...folderNames.flatMap(folderPages),
  ...scheduledPages,
  draftsPage,
  labelPage,
  ownFolderPage,
  searchPage,
];
