import { useStore } from '@nanostores/react';
import { KeysRest } from '../../../components/KeysRest.tsx';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { labelMenu } from './label-menu.ts';

export const LabelMenu = lazyExtra(() => import('./LabelMenu.tsx'), { Waiting: KeysRest });

/** Shows the menu of labels while it is open. Rendered once for all pages of mail. */
export function LabelMenuHost() {
  const asked = useStore(labelMenu);
  if (!asked) return null;
  const close = (): void => {
    // By then the menu may be open for other messages
    if (labelMenu.get() !== asked) return;
    labelMenu.set(null);
    asked.target.focus({ preventScroll: true });
  };
  return <LabelMenu target={asked.target} records={asked.records} ofAll={asked.ofAll} onClose={close} />;
}
