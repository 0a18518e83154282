import { makeStyles, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalS,
    minHeight: '50vh',
    flexGrow: 1,
    color: tokens.colorNeutralForeground2,
    // waits a moment, so that quick loads don't flicker
    opacity: 0,
    animationName: { from: { opacity: 0 }, to: { opacity: 1 } },
    animationDuration: '150ms',
    animationDelay: '300ms',
    animationFillMode: 'forwards',
  },
  ring: {
    width: '32px',
    height: '32px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusCircular,
    border: `3px solid ${tokens.colorBrandStroke2}`,
    borderTopColor: tokens.colorBrandStroke1,
    animationName: { to: { transform: 'rotate(360deg)' } },
    animationDuration: '1.2s',
    animationIterationCount: 'infinite',
    animationTimingFunction: 'linear',
  },
});

export function PageSpinner() {
  const styles = useStyles();
  return (
    <div className={styles.root} role="status">
      <span className={styles.ring} aria-hidden />
      Loading
    </div>
  );
}
