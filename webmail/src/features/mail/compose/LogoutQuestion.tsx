import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { wordsOf } from '../../../lib/i18n.ts';
import { askBeforeLogout } from '../../../lib/request-logout.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { unsentCount } from './compose-store.ts';
import type { LogoutAnswer } from './LogoutDialog.tsx';
import { discardAll, parkAll, unsentOfOwner } from './close-messages.ts';
import { messages } from './windows.ts';

const LogoutDialog = lazyExtra(() => import('./LogoutDialog.tsx'), { onMissing: ({ onAnswer }) => onAnswer('stay') });

interface Asked {
  count: number;
  settle: (isLeaving: boolean) => void;
}

/** Before a person logs out, asks what is to become of their unsent messages. */
export function LogoutQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const isSomethingWritten = useStore(messages).length > 0;
  const hasUnsent = useStore(unsentCount) > 0 || isSomethingWritten;
  useEffect(() => {
    // Logging out must work without the server too
    if (hasUnsent) LogoutDialog.prepare();
  }, [hasUnsent]);
  useEffect(
    () =>
      askBeforeLogout(async () => {
        const count = await unsentOfOwner();
        return count === 0 || new Promise<boolean>((settle) => setAsked({ count, settle }));
      }),
    [],
  );
  if (!asked) return null;
  const answer = async (chosen: LogoutAnswer): Promise<void> => {
    setAsked(null);
    try {
      if (chosen === 'discard') await discardAll();
      else if (chosen === 'keep') await parkAll();
      asked.settle(chosen !== 'stay');
    } catch {
      // The browser's storage failed, such as a full disk
      notify.failure(wordsOf(unsentWords).leaveFailed);
      asked.settle(false);
    }
  };
  return <LogoutDialog count={asked.count} onAnswer={(chosen) => void answer(chosen)} />;
}
