import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { own } from '../theme/own-tokens.ts';

const useStyles = makeStyles({
  root: { display: 'block', width: '120px', height: '90px' },
  ink: { stroke: tokens.colorBrandForeground1 },
  thread: { stroke: own.weft },
});

/** A drawing of the app: one line weight, indigo for the things, ecru for the thread. */
function Drawing({ children }: { children: ReactNode }) {
  const styles = useStyles();
  return (
    <svg
      className={styles.root}
      viewBox="0 0 120 90"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {children}
    </svg>
  );
}

/** An open letter whose flap is sewn with a thread. */
export function MailDrawing() {
  const { ink, thread } = useStyles();
  return (
    <Drawing>
      <path className={ink} d="M22 34v40a4 4 0 0 0 4 4h68a4 4 0 0 0 4-4V34" />
      <path className={ink} d="M22 34 60 8l38 26-38 24z" />
      <path className={ink} d="m24 76 26-24m46 24L70 52" />
      <path className={thread} d="M34 34h52" strokeDasharray="6 5" />
      <path className={thread} d="M86 34c8 0 14-6 14-13s-5-11-5-16" />
    </Drawing>
  );
}

/** A spool whose thread is not begun: a list without rows. */
export function SpoolDrawing() {
  const { ink, thread } = useStyles();
  return (
    <Drawing>
      <path className={ink} d="M38 14h44v8H38zM38 68h44v8H38z" />
      <path className={ink} d="M46 22v46m28-46v46" />
      <path className={thread} d="m46 32 28 6m-28 2 28 6m-28 2 28 6m-28 2 28 6" />
      <path className={thread} d="M74 62c14 4 22-2 28 8" />
    </Drawing>
  );
}

/** A weave with one thread missing: nothing matches a search. */
export function WeaveDrawing() {
  const { ink, thread } = useStyles();
  return (
    <Drawing>
      <path className={ink} d="M36 12v66M52 12v66M68 12v66M84 12v66" />
      <path className={thread} d="M24 22h72M24 38h72M24 70h72" />
      <path className={thread} d="M24 54h14m44 0h14" strokeDasharray="4 5" />
    </Drawing>
  );
}
