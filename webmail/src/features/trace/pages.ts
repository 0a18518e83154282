import type { Page } from '../../lib/page.ts';

const needs = { model: 'permission', action: 'view' } as const;

export const tracePages: Page[] = [
  {
    path: '/dashboard/trace',
    frame: 'shell',
    title: 'trace',
    needs,
    navigation: { group: 'organisation', order: 55, icon: 'trace' },
    load: () => import('./TracePage.tsx'),
  },
  {
    path: '/dashboard/trace/:id',
    frame: 'shell',
    title: 'message',
    needs,
    load: () => import('./StoryPage.tsx'),
  },
  {
    path: '/dashboard/queue',
    frame: 'shell',
    title: 'queue',
    needs,
    navigation: { group: 'organisation', order: 56, icon: 'queue' },
    load: () => import('./QueuePage.tsx'),
  },
];
