import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { undoLatest } from '../../components/feedback/undo-latest.ts';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { goKeys } from './go-keys.ts';

const ShortcutHelp = lazyExtra(() => import('./ShortcutHelp.tsx'));

/** The keys that work on every page: to folders, to help, and to take back. */
export function MailKeys() {
  const navigate = useNavigate();
  const user = useCurrentUser();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const going = goKeys.filter(({ page }) => mayOpen(user, page));
  useShortcuts({
    '?': () => setHelpOpen(true),
    z: undoLatest,
    ...Object.fromEntries(going.map(({ keys, page }) => [keys, () => void navigate(page.path)])),
  });
  return isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />;
}
