import { UnreadCount } from './UnreadBadge.tsx';

/** How many messages of Junk are unread, beside its name in the navigation. */
export default function JunkBadge() {
  return <UnreadCount folder="junk" />;
}
