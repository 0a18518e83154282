import ComposeHost from './compose/ComposeHost.tsx';
import { MailKeys } from './MailKeys.tsx';
import { UnreadSign } from './UnreadSign.tsx';

/** What stays while pages change: the messages that are being written, keys, the unread sign. */
export default function MailHost() {
  return (
    <>
      <ComposeHost />
      <UnreadSign />
      <MailKeys />
    </>
  );
}
