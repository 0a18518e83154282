import type { BackupEmailRowDto } from '@selvage/core/contracts/mail-backups';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { Link, useLocation } from 'react-router-dom';
import { Initials } from '../../components/Initials.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { cut } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { backupWords } from '../../words/backups.ts';
import { People } from '../mail/People.tsx';
import { recipientsIn, subjectOf } from '../mail/row-words.ts';
import { senderIn } from '../mail/senders.ts';
import { dayAndTime } from './backup-format.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  stale: { opacity: 0.6 },
  card: {
    display: 'flex',
    gap: tokens.spacingHorizontalM,
    alignItems: 'flex-start',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [onNarrow]: { padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}` },
    ...focusRingInside,
  },
  unread: { backgroundColor: tokens.colorBrandBackground2 },
  words: { display: 'flex', flexDirection: 'column', gap: '2px', minWidth: 0, flexGrow: 1 },
  line: { display: 'flex', alignItems: 'baseline', gap: tokens.spacingHorizontalM, minWidth: 0 },
  sender: { flexGrow: 1, minWidth: 0, ...oneLine },
  strong: { fontWeight: tokens.fontWeightSemibold },
  date: {
    flexShrink: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
  },
  text: { flexGrow: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalS },
  quiet: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  files: {
    display: 'flex',
    alignItems: 'center',
    gap: '2px',
    flexShrink: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
  },
});

const SHOWN_SUBJECT = 30;
const SHOWN_WORDS = 50;

/** Messages of a backup as cards, each of which opens its message. */
export function BackupCards({ rows, isStale }: { rows: readonly BackupEmailRowDto[]; isStale: boolean }) {
  const styles = useStyles();
  return (
    <ul className={mergeClasses(styles.list, isStale && styles.stale)}>
      {rows.map((row) => (
        <li key={row._id}>
          <Card row={row} />
        </li>
      ))}
    </ul>
  );
}

function Card({ row }: { row: BackupEmailRowDto }) {
  const styles = useStyles();
  const t = useWords(backupWords);
  const state = fromHere(useLocation());
  const { attachment_count: files, updatedAt } = row;
  const sender = senderIn(row);
  const isUnread = !row.read_status;
  const strong = isUnread && styles.strong;
  return (
    <Link
      className={mergeClasses(styles.card, isUnread && styles.unread)}
      to={`/dashboard/backup/backup_emails/${row._id}`}
      state={state}
    >
      <Initials name={sender} />
      <span className={styles.words}>
        <span className={styles.line}>
          {isUnread && <VisuallyHidden>{t.unread} </VisuallyHidden>}
          <span className={mergeClasses(styles.sender, strong)} dir="auto">
            {sender}
          </span>
          <time className={styles.date} dateTime={updatedAt}>
            {dayAndTime(updatedAt)}
          </time>
        </span>
        {row.send_status && (
          <span className={styles.quiet}>
            <People people={recipientsIn(row)} />
          </span>
        )}
        <span className={styles.line}>
          <span className={styles.text}>
            <span className={mergeClasses(strong)} dir="auto">
              {cut(subjectOf(row), SHOWN_SUBJECT)}
            </span>
            <span className={styles.quiet} dir="auto">
              {cut(row.body.replaceAll(/\s+/g, ' ').trim(), SHOWN_WORDS)}
            </span>
          </span>
          {files > 0 && (
            <span className={styles.files} role="img" aria-label={t.attachments(files)}>
              <AttachRegular aria-hidden />
              {files}
            </span>
          )}
        </span>
      </span>
    </Link>
  );
}
