import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { Logo } from '../../components/Logo.tsx';
import { onPhone } from '../../theme/breakpoints.ts';
import { selvageLine } from '../../theme/styles.ts';

const useStyles = makeStyles({
  page: {
    height: '100%',
    display: 'flex',
    boxSizing: 'border-box',
    padding: tokens.spacingHorizontalL,
    overflowY: 'auto',
    [onPhone]: { padding: 0, backgroundColor: tokens.colorNeutralBackground1 },
  },
  card: {
    width: '100%',
    maxWidth: '400px',
    // Centred, and never out of reach above the top of a low window
    margin: 'auto',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow8,
    overflow: 'hidden',
    [onPhone]: { maxWidth: 'none', margin: 0, borderRadius: 0, boxShadow: 'none' },
  },
  line: selvageLine,
  body: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalXXL,
    [onPhone]: { padding: tokens.spacingHorizontalL },
  },
  head: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: {
    margin: `${tokens.spacingVerticalM} 0 0`,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
});

interface Props {
  title: string;
  hint?: string;
  /** Dialogs beside the card. */
  beside?: ReactNode;
  children: ReactNode;
}

/** The one card of a screen outside the shell: logging in and what belongs to it. */
export function AuthCard({ title, hint, beside, children }: Props) {
  const styles = useStyles();
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.line} />
        <div className={styles.body}>
          <div className={styles.head}>
            <Logo />
            <h1 className={styles.title}>{title}</h1>
            {hint && <span className={styles.hint}>{hint}</span>}
          </div>
          {children}
        </div>
      </div>
      {beside}
    </main>
  );
}
