import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { closeCompose, composeRequest } from './compose-store.ts';
import { type Sent, SendBanner } from './SendBanner.tsx';

const ComposeDialog = lazyExtra(() => import('./ComposeDialog.tsx'));

/** Holds the message that is being written and the last one that can still be taken back, whatever page is open. */
export default function ComposeHost() {
  const request = useStore(composeRequest);
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <>
      {request && <ComposeDialog request={request} onClose={closeCompose} onSent={setSent} />}
      {sent && <SendBanner key={sent._id} sent={sent} onOver={() => setSent(null)} />}
    </>
  );
}
