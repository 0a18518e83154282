import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { isSurelyOffline, reach } from '../../lib/connection.ts';
import { useWords } from '../../lib/i18n.ts';
import { hasNewVersion } from '../../lib/web-version.ts';
import { own } from '../../theme/own-tokens.ts';
import { focusRing } from '../../theme/styles.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { isLiveLost } from '../live/live-state.ts';

const useStyles = makeStyles({
  root: {
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalM,
    padding: `6px ${tokens.spacingHorizontalL}`,
    paddingBottom: 'calc(6px + env(safe-area-inset-bottom))',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground3,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    textAlign: 'center',
  },
  waiting: { backgroundColor: own.stateWaitingPaper, color: own.stateWaiting },
  dot: {
    display: 'inline-block',
    width: '7px',
    height: '7px',
    marginInlineEnd: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'currentColor',
  },
  button: {
    border: 'none',
    padding: `0 ${tokens.spacingHorizontalXS}`,
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: 'transparent',
    color: tokens.colorBrandForegroundLink,
    font: 'inherit',
    fontWeight: tokens.fontWeightSemibold,
    cursor: 'pointer',
    ...focusRing,
  },
});

/**
 * One line at the lower edge for all messages about the server: it is away, the live connection is
 * lost, or it has a newer app. It is below the content, so no row moves under the pointer. It is
 * part of the first load, since it is needed when nothing more can be fetched.
 */
export function ConnectionBanner() {
  const styles = useStyles();
  const t = useWords(feedbackWords);
  const isAway = useStore(reach) === 'away';
  const isLost = useStore(isLiveLost);
  const isOld = useStore(hasNewVersion);
  const trouble = isAway ? (isSurelyOffline() ? t.offline : t.serverAway) : isLost ? t.liveAway : null;
  return (
    <div role="status">
      {trouble !== null && (
        <div className={mergeClasses(styles.root, styles.waiting)}>
          <span>
            <span className={styles.dot} aria-hidden />
            {trouble}
          </span>
        </div>
      )}
      {trouble === null && isOld && (
        <div className={styles.root}>
          {t.newVersion}
          <button type="button" className={styles.button} onClick={() => window.location.reload()}>
            {t.reload}
          </button>
        </div>
      )}
    </div>
  );
}
