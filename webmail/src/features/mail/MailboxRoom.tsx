import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { UseBar } from '../../components/UseBar.tsx';
import { fileSize } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { NEAR_LIMIT } from '../../lib/limits.ts';
import { own } from '../../theme/own-tokens.ts';
import { limitWords } from '../../words/limits.ts';
import { totalsQuery } from './queries.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXS,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM} 0`,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  near: { color: own.stateWaiting },
  full: { color: own.stateBad },
});

/**
 * How full the mailbox is, below the folders. From nine tenths on, it says what the person can do.
 * Without a limit it shows nothing.
 */
export default function MailboxRoom() {
  const styles = useStyles();
  const t = useWords(limitWords);
  const { data } = useQuery(totalsQuery);
  if (!data) return null;
  const { used, limit, full } = data.storage;
  if (limit === null && full === null) return null;
  const isNear = full === null && limit !== null && used >= limit * NEAR_LIMIT;
  return (
    <div className={styles.root}>
      {limit !== null && (
        <UseBar used={used} limit={limit}>
          {t.mailboxUsed({ used: fileSize(used), limit: fileSize(limit) })}
        </UseBar>
      )}
      <span role="status" className={mergeClasses(isNear ? styles.near : styles.full)}>
        {isNear && t.mailboxNear}
        {full === 'mailbox' && t.mailboxFull}
        {full === 'company' && t.companyFull}
      </span>
    </div>
  );
}
