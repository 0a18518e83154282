import ComposeHost from './compose/ComposeHost.tsx';
import { MailKeys } from './MailKeys.tsx';
import { UnreadSign } from './UnreadSign.tsx';

/**
 * The parts that stay while pages change: messages that are being written, keys, the unread sign.
 */
export default function MailHost() {
  return (
    <>
      <ComposeHost />
      <UnreadSign />
      <MailKeys />
    </>
  );
}
