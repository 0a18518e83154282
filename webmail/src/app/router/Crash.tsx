import { makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { feedbackWords } from '../../words/feedback.ts';

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalL,
    minHeight: '60vh',
    padding: tokens.spacingHorizontalXXL,
    textAlign: 'center',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  button: {
    minHeight: '32px',
    padding: `0 ${tokens.spacingHorizontalL}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    font: 'inherit',
    fontWeight: tokens.fontWeightSemibold,
    cursor: 'pointer',
  },
});

/**
 * Shown instead of a screen that failed, or whose code could not be fetched. It is made of plain
 * elements, since the failure may be in the very components it would use.
 */
export function Crash({ isMissing }: { isMissing: boolean }) {
  const styles = useStyles();
  const t = useWords(feedbackWords);
  return (
    <div className={styles.page} role="alert">
      <h1 className={styles.title}>{isMissing ? t.chunkTitle : t.crashTitle}</h1>
      <span>{isMissing ? t.chunkText : t.crashText}</span>
      <button type="button" className={styles.button} onClick={() => window.location.reload()}>
        {t.reload}
      </button>
    </div>
  );
}
