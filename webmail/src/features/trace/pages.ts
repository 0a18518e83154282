import type { Page } from '../../lib/page.ts';
import { recordKey, tracedKey } from '../../lib/record-keys.ts';

const needs = { model: 'permission', action: 'view' } as const;

/** A story is told of one recipient; that of a refused message may name none. */
const recipientIn = (data: unknown): string | null => (data as { recipient: string } | undefined)?.recipient || null;

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
    record: ({ id = '' }) => ({ queryKey: recordKey(tracedKey, id), nameOf: recipientIn }),
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
