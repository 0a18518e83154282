import { Tooltip } from '@fluentui/react-components';
import { useEffect, useState } from 'react';

const SHOW_AFTER_MS = 250;
/** Long enough for a pointer to move from a button to its tooltip. */
const HIDE_AFTER_MS = 150;

function tippedElement(target: EventTarget | null): HTMLElement | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;
  // The button of an open menu needs no words over its menu
  return element?.getAttribute('aria-expanded') === 'true' ? null : element;
}

/** Whether the pointer rests on the tooltip itself: it stays for as long, as WCAG 1.4.13 asks. */
function isTooltip(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="tooltip"]') !== null;
}

/**
 * The one tooltip for everything that carries `data-tip`: a list of fifty rows doesn't need a
 * hundred of them.
 */
export function Tips() {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer = 0;
    const aim = (element: HTMLElement | null): void => {
      clearTimeout(timer);
      if (!element) setTarget(null);
      else timer = window.setTimeout(() => setTarget(element), SHOW_AFTER_MS);
    };
    const hide = (): void => aim(null);
    const handlePointer = ({ target: over, pointerType }: PointerEvent): void => {
      if (pointerType === 'touch') return;
      clearTimeout(timer);
      const tipped = tippedElement(over);
      if (tipped) aim(tipped);
      else if (!isTooltip(over)) timer = window.setTimeout(hide, HIDE_AFTER_MS);
    };
    const handleFocus = ({ target: focused }: FocusEvent): void => {
      if (focused instanceof Element && focused.matches(':focus-visible')) aim(tippedElement(focused));
    };
    const handleKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') aim(null);
    };
    document.addEventListener('pointerover', handlePointer);
    document.addEventListener('focusin', handleFocus);
    document.addEventListener('keydown', handleKey);
    for (const event of ['focusout', 'pointerdown', 'pointerleave', 'scroll']) {
      document.addEventListener(event, hide, { capture: true });
    }
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', handlePointer);
      document.removeEventListener('focusin', handleFocus);
      document.removeEventListener('keydown', handleKey);
      for (const event of ['focusout', 'pointerdown', 'pointerleave', 'scroll']) {
        document.removeEventListener(event, hide, { capture: true });
      }
    };
  }, []);
  if (!target?.isConnected) return null;
  return <Tooltip visible content={target.dataset['tip'] ?? ''} relationship="inaccessible" positioning={{ target }} />;
}
