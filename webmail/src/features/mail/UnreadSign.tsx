import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { totalsQuery } from './queries.ts';

/** Says how many messages are unread, in the title of the tab and on the icon of the app. */
export default function UnreadSign() {
  const { data: totals } = useQuery(totalsQuery);
  const unread = totals?.inbox.unread ?? 0;
  useEffect(() => signTab(unread === 0 ? '' : `(${unread.toLocaleString()}) `), [unread]);
  useEffect(() => {
    badge(unread);
    return () => badge(0);
  }, [unread]);
  return null;
}

/** Keeps a sign before the title that pages give the tab; the returned function ends it. */
function signTab(sign: string): () => void {
  const write = (before: string): void => {
    const wanted = before + document.title.replace(/^\([\d.,\s]+\) /, '');
    if (document.title !== wanted) document.title = wanted;
  };
  const observer = new MutationObserver(() => write(sign));
  const title = document.querySelector('title');
  if (title) observer.observe(title, { childList: true });
  write(sign);
  return () => {
    observer.disconnect();
    write('');
  };
}

/** Only installed apps have a badge, and not every browser knows of it. */
function badge(count: number): void {
  void navigator.setAppBadge?.(count).catch(() => undefined);
}
