import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefixTab } from '../../lib/tab-title.ts';
import { totalsQuery } from './queries.ts';

/** Says how many messages are unread, in the title of the tab and on the icon of the app. */
export function UnreadSign() {
  const { data: totals } = useQuery(totalsQuery);
  const unread = totals?.inbox.unread ?? 0;
  useEffect(() => {
    prefixTab(unread === 0 ? '' : `(${unread.toLocaleString()}) `);
    badge(unread);
    return () => {
      prefixTab('');
      badge(0);
    };
  }, [unread]);
  return null;
}

/** Only installed apps have a badge, and not every browser knows of it. */
function badge(count: number): void {
  void navigator.setAppBadge?.(count).catch(() => undefined);
}
