import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { own } from '../../theme/own-tokens.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    borderLeft: '3px solid',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    overflowWrap: 'anywhere',
  },
  text: { flex: '1 1 280px', minWidth: 0 },
  action: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  error: { backgroundColor: own.stateBadPaper, color: own.stateBad },
  warning: { backgroundColor: own.stateWaitingPaper, color: own.stateWaiting },
  success: { backgroundColor: own.stateGoodPaper, color: own.stateGood },
  info: {
    backgroundColor: tokens.colorBrandBackground2,
    borderLeftColor: tokens.colorBrandStroke1,
    color: tokens.colorNeutralForeground1,
  },
});

interface Props {
  text: ReactNode;
  intent?: 'error' | 'warning' | 'success' | 'info';
  /** A button that answers it. */
  action?: ReactNode;
}

/**
 * What happened, where the reader of a form looks next; a failure is read out at once. It renders
 * nothing without a text.
 */
export function FormMessage({ text, intent = 'error', action }: Props) {
  const styles = useStyles();
  if (!text) return null;
  return (
    <div className={mergeClasses(styles.root, styles[intent])} role={intent === 'error' ? 'alert' : 'status'}>
      <span className={styles.text}>{text}</span>
      {action && <span className={styles.action}>{action}</span>}
    </div>
  );
}
