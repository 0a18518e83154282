import type { ComposeRequest } from './compose-context.ts';
import type { Sent } from './SendBanner.tsx';

export function ComposeDialog(_props: { request: ComposeRequest; onClose: () => void; onSent: (sent: Sent) => void }) {
  return null;
}
