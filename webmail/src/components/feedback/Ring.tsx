import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { onLessMotion } from '../../theme/styles.ts';

const useStyles = makeStyles({
  ring: {
    display: 'inline-block',
    width: '16px',
    height: '16px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusCircular,
    border: '2px solid currentColor',
    borderTopColor: 'transparent',
    opacity: 0.8,
    animationName: { to: { transform: 'rotate(360deg)' } },
    animationDuration: '1s',
    animationIterationCount: 'infinite',
    animationTimingFunction: 'linear',
    [onLessMotion]: { animationName: 'none' },
  },
  large: { width: '32px', height: '32px', border: '3px solid currentColor', borderTopColor: 'transparent' },
});

/** Something is under way; the words beside it say what. */
export function Ring({ isLarge = false }: { isLarge?: boolean }) {
  const styles = useStyles();
  return <span className={mergeClasses(styles.ring, isLarge && styles.large)} aria-hidden />;
}
