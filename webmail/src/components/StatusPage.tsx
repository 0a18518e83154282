import { makeStyles, Text, tokens } from '@fluentui/react-components';
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
    color: tokens.colorNeutralForeground2,
  },
  icon: { fontSize: '40px', lineHeight: 1, color: tokens.colorNeutralForeground3 },
});

interface Props {
  title: string;
  hint?: string;
  icon?: ReactNode;
  action?: ReactNode;
  isAlert?: boolean;
}

/** What stands in a place that has nothing to list: empty, failed, or not allowed. */
export function StatusPage({ title, hint, icon, action, isAlert = false }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root} role={isAlert ? 'alert' : 'status'}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <Text size={400} weight="semibold" align="center">
        {title}
      </Text>
      {hint && <Text align="center">{hint}</Text>}
      {action}
    </div>
  );
}
