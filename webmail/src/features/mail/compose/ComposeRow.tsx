import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { own } from '../../../theme/own-tokens.ts';

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: '60px minmax(0, 1fr) auto',
    alignItems: 'start',
    columnGap: tokens.spacingHorizontalS,
    padding: '3px 0',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    ':focus-within': { borderBottomColor: tokens.colorCompoundBrandStroke },
  },
  label: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase300,
    lineHeight: '32px',
    cursor: 'text',
  },
  problem: {
    padding: `0 2px ${tokens.spacingVerticalXXS}`,
    color: own.stateBad,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

interface Props {
  label: string;
  inputId: string;
  problem?: string | null;
  problemId?: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** One line of the head of a message: its name and its content, without a box. */
export function ComposeRow({ label, inputId, problem = null, problemId, aside, children }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.row}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
      </label>
      <div>
        {children}
        {problem !== null && (
          <div id={problemId} role="alert" className={styles.problem}>
            {problem}
          </div>
        )}
      </div>
      {aside}
    </div>
  );
}
