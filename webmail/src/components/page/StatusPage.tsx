import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalM,
    flexGrow: 1,
    padding: `${tokens.spacingVerticalXXXL} ${tokens.spacingHorizontalXXL}`,
    textAlign: 'center',
    textWrap: 'balance',
    color: tokens.colorNeutralForeground2,
  },
  icon: { fontSize: '40px', lineHeight: 1, color: tokens.colorNeutralForeground3 },
  title: {
    margin: 0,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { maxWidth: '48ch' },
  // Empty where the person may not do what it offers
  actions: {
    ':empty': { display: 'none' },
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'center',
    gap: tokens.spacingHorizontalS,
  },
});

interface Props {
  title: string;
  hint?: string;
  /** A drawing or an icon. */
  icon?: ReactNode;
  action?: ReactNode;
  /** The title is the heading of the page, which has no other. */
  isPage?: boolean;
  /** Something failed: it is read out at once. */
  isAlert?: boolean;
}

/**
 * Shown in the place of content: the list is empty, the load failed, or the person may not see it.
 */
export function StatusPage({ title, hint, icon, action, isPage = false, isAlert = false }: Props) {
  const styles = useStyles();
  const Title = isPage ? 'h1' : 'span';
  return (
    <div className={styles.root} role={isAlert ? 'alert' : 'status'}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {hint && <span className={styles.hint}>{hint}</span>}
      {action && <div className={styles.actions}>{action}</div>}
    </div>
  );
}
