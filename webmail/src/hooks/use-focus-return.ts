import { useEffect, useState } from 'react';

/** Gives the focus back to where it was before a dialog that is unmounted rather than closed. */
export function useFocusReturn(): void {
  // read while rendering: by the time effects run, the dialog has taken the focus
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
}
