import { makeStyles, tokens } from '@fluentui/react-components';
import { VisuallyHidden } from '../VisuallyHidden.tsx';

const useStyles = makeStyles({
  root: {
    flexShrink: 0,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase300,
    fontVariantNumeric: 'tabular-nums',
  },
});

/** A number beside a heading; `label` says it in words. */
export function CountBadge({ count, label }: { count: number; label: string }) {
  const styles = useStyles();
  return (
    <span className={styles.root}>
      <span aria-hidden>{count.toLocaleString()}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
