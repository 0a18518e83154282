import { makeStyles, tokens } from '@fluentui/react-components';
import type { FluentIcon } from '@fluentui/react-icons';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  icon: { flexShrink: 0, height: tokens.lineHeightBase200 },
});

/** A line below the header of a message for a remark that needs no action. */
export function QuietLine({ icon: Icon, children }: { icon: FluentIcon; children: string }) {
  const styles = useStyles();
  return (
    <span className={styles.root}>
      <Icon aria-hidden className={styles.icon} />
      {children}
    </span>
  );
}
