import { makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { fadeIn } from '../../theme/styles.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { Ring } from './Ring.tsx';

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
    // Waits a moment, so that quick loads don't flicker
    ...fadeIn,
    animationDelay: '300ms',
    animationFillMode: 'both',
  },
});

/** A whole page is on its way. */
export function PageSpinner() {
  const styles = useStyles();
  const t = useWords(feedbackWords);
  return (
    <div className={styles.root} role="status">
      <Ring isLarge />
      {t.loading}
    </div>
  );
}
