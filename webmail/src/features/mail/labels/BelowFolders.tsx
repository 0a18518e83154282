import MailboxRoom from '../MailboxRoom.tsx';
import { OwnFolderNavigation } from '../own-folders/OwnFolderNavigation.tsx';
import { LabelNavigation } from './LabelNavigation.tsx';

/**
 * The part below the folders of the navigation: the person's folders and labels, and how full the
 * mailbox is.
 */
export default function BelowFolders({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  return (
    <>
      <OwnFolderNavigation onNavigate={onNavigate} />
      <LabelNavigation onNavigate={onNavigate} />
      <MailboxRoom />
    </>
  );
}
