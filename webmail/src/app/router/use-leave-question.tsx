import { type ComponentProps, type ComponentType, type ReactNode, useCallback, useRef, useState } from 'react';
import { wordsOf } from '../../lib/i18n.ts';
import { loadModule } from '../../lib/load-module.ts';
import type { UnsavedWork } from '../../lib/unsaved-work.ts';
import { leavingWords } from '../../words/leaving.ts';
import type LeaveDialog from './LeaveDialog.tsx';

type DialogProps = ComponentProps<typeof LeaveDialog>;

interface Asked extends DialogProps {
  Dialog: ComponentType<DialogProps>;
}

/** Asks whether work may be thrown away; true when the person leaves it. */
type Ask = (works: readonly UnsavedWork[]) => Promise<boolean>;

/**
 * A question about unsaved work, and the dialog that has to be rendered for it. A second question
 * takes the place of the first.
 */
export function useLeaveQuestion(): { ask: Ask; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const giveUp = useRef<(() => void) | null>(null);
  const ask = useCallback<Ask>(async (works) => {
    const what = works.map(({ name }) => name).join(', ');
    const Dialog = await loadDialog();
    // The dialog could not be loaded, so the browser asks instead
    if (!Dialog) return window.confirm(wordsOf(leavingWords).text({ what }));
    giveUp.current?.();
    return await new Promise<boolean>((settle) => {
      giveUp.current = () => settle(false);
      const onAnswer = (isLeaving: boolean): void => {
        setAsked(null);
        settle(isLeaving);
      };
      setAsked({ Dialog, what, onAnswer });
    });
  }, []);
  return { ask, dialog: asked && <asked.Dialog what={asked.what} onAnswer={asked.onAnswer} /> };
}

async function loadDialog(): Promise<ComponentType<DialogProps> | null> {
  try {
    return (await loadModule(() => import('./LeaveDialog.tsx'))).default;
  } catch {
    // The caller asks without it
    return null;
  }
}
