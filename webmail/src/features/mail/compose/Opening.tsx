import { makeStyles } from '@fluentui/react-components';
import { Ring } from '../../../components/feedback/Ring.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { Banner } from './Banner.tsx';

const useStyles = makeStyles({
  late: {
    // Invisible at first, so that a quick load does not flicker
    opacity: 0,
    animationName: { from: { opacity: 0 }, to: { opacity: 1 } },
    animationDuration: '120ms',
    animationDelay: '300ms',
    animationFillMode: 'forwards',
  },
});

/** Shown while the code of the window is loading. */
export function Opening() {
  const styles = useStyles();
  const t = useWords(unsentWords);
  return (
    <div className={styles.late} role="status">
      <Banner text={t.opening}>
        <Ring />
      </Banner>
    </div>
  );
}
