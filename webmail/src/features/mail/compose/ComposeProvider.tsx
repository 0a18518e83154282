import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { ComposeContext, type ComposeRequest } from './compose-context.ts';
import { type Sent, SendBanner } from './SendBanner.tsx';

const ComposeDialog = lazy(() => import('./ComposeDialog.tsx').then((m) => ({ default: m.ComposeDialog })));

/** Holds the one message that is being written and the last one that can still be taken back. */
export function ComposeProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<ComposeRequest | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  // a second request while one is open would throw away what was typed
  const open = useCallback((next: ComposeRequest) => setRequest((old) => old ?? next), []);
  return (
    <ComposeContext value={open}>
      {children}
      {request && (
        <Suspense fallback={null}>
          <ComposeDialog request={request} onClose={() => setRequest(null)} onSent={setSent} />
        </Suspense>
      )}
      {sent && <SendBanner key={sent._id} sent={sent} onOver={() => setSent(null)} />}
    </ComposeContext>
  );
}
