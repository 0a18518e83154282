import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

const useStyles = makeStyles({
  root: { display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
});

const CONTROLS = 'button:not([hidden]), a[href], input:not([hidden]), select';

interface Props {
  label: string;
  className?: string;
  children: ReactNode;
}

/**
 * A row of controls that is one stop of the Tab key: arrows, Home and End move inside (ARIA
 * toolbar).
 */
export function Toolbar({ label, className, children }: Props) {
  const styles = useStyles();
  const ref = useRef<HTMLDivElement>(null);
  const controls = (): HTMLElement[] => [...(ref.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  const makeStop = (stop: HTMLElement | undefined): void => {
    for (const control of controls()) control.tabIndex = control === stop ? 0 : -1;
  };
  // After each render: what it holds may have changed
  useEffect(() => {
    const all = controls();
    makeStop(
      all.find((control) => control === document.activeElement) ?? all.find(({ tabIndex }) => tabIndex === 0) ?? all[0],
    );
  });
  const handleKey = (event: KeyboardEvent): void => {
    const all = controls();
    const index = all.indexOf(document.activeElement as HTMLElement);
    const next = all[indexAfter(event.key, index, all.length)];
    if (index < 0 || !next || next === all[index]) return;
    event.preventDefault();
    makeStop(next);
    next.focus();
  };
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label={label}
      className={mergeClasses(styles.root, className)}
      onKeyDown={handleKey}
      // What a control opens is its child for React, but not for the document
      onFocus={({ target }) => ref.current?.contains(target) && makeStop(target)}
    >
      {children}
    </div>
  );
}

/** Where an arrow key leads; a text field keeps its own arrows, as it never sends them this far. */
export function indexAfter(key: string, index: number, length: number): number {
  if (key === 'ArrowRight') return (index + 1) % length;
  if (key === 'ArrowLeft') return (index - 1 + length) % length;
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : index;
}
