import { makeStyles, tokens } from '@fluentui/react-components';
import { onLessMotion } from '../../theme/styles.ts';

const useStyles = makeStyles({
  // Always there, so that nothing below it moves
  root: { height: '2px', flexShrink: 0, overflow: 'hidden' },
  moving: {
    height: '100%',
    width: '33%',
    backgroundColor: tokens.colorCompoundBrandBackground,
    animationName: { from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(300%)' } },
    animationDuration: '1.6s',
    animationIterationCount: 'infinite',
    [onLessMotion]: { animationName: 'none', width: '100%' },
  },
});

interface Props {
  isShown: boolean;
  label: string;
}

/** Another page of a list is on its way, over the rows of the one before. */
export function ProgressLine({ isShown, label }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      {isShown && <div className={styles.moving} role="progressbar" aria-label={label} />}
    </div>
  );
}
