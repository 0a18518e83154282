import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Initials } from '../../components/Initials.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FromList } from '../../lib/origin.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { People, type RowPeople } from './People.tsx';
import { RowShell, type ShellProps } from './RowShell.tsx';
import { rowPreview, rowSubject } from './row-words.ts';

const useStyles = makeStyles({
  link: {
    display: 'grid',
    gridTemplateColumns: 'minmax(120px, 200px) minmax(0, 1fr) auto auto 72px',
    gridTemplateAreas: '"people text state clip date"',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    flexGrow: 1,
    minWidth: 0,
    minHeight: heights.mailRow,
    padding: `0 ${tokens.spacingHorizontalL} 0 ${tokens.spacingHorizontalXS}`,
    border: 'none',
    backgroundColor: 'transparent',
    color: 'inherit',
    fontFamily: 'inherit',
    fontWeight: 'inherit',
    textAlign: 'start',
    textDecorationLine: 'none',
    cursor: 'pointer',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    ...focusRingInside,
    [onNarrow]: {
      gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
      gridTemplateAreas: '"people state clip date" "text text text text"',
      rowGap: '2px',
      padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} 0`,
    },
  },
  people: { gridArea: 'people', display: 'flex', alignItems: 'baseline', columnGap: '6px', minWidth: 0 },
  names: { minWidth: 0, ...oneLine },
  count: {
    flexShrink: 0,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
    fontVariantNumeric: 'tabular-nums',
  },
  // Two lines beside a picture of the writer
  relaxed: {
    gridTemplateColumns: '40px minmax(0, 1fr) auto auto 72px',
    gridTemplateAreas: '"avatar people state clip date" "avatar text text text text"',
    alignContent: 'center',
    rowGap: '2px',
    [onNarrow]: {
      gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
      gridTemplateAreas: '"people state clip date" "text text text text"',
    },
  },
  withWhen: {
    gridTemplateColumns: 'minmax(120px, 200px) minmax(0, 1fr) auto auto auto',
    [onNarrow]: { gridTemplateColumns: 'minmax(0, 1fr) auto auto auto' },
  },
  // The same as on a narrow screen
  stacked: {
    gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
    gridTemplateAreas: '"people state clip date" "text text text text"',
    rowGap: '2px',
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} 0`,
  },
  textStacked: { flexDirection: 'column', gap: 0 },
  subjectStacked: { maxWidth: '100%' },
  avatar: { gridArea: 'avatar', display: 'flex', [onNarrow]: { display: 'none' } },
  named: {
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    flexShrink: 0,
    maxWidth: '70%',
    minWidth: 0,
    [onNarrow]: { maxWidth: '100%' },
  },
  subjectNamed: { flexShrink: 1, minWidth: 0, maxWidth: '100%' },
  text: {
    gridArea: 'text',
    display: 'flex',
    gap: tokens.spacingHorizontalS,
    minWidth: 0,
    overflow: 'hidden',
    [onNarrow]: { flexDirection: 'column', gap: 0 },
  },
  subject: { flexShrink: 0, maxWidth: '60%', ...oneLine, [onNarrow]: { maxWidth: '100%' } },
  preview: { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular, ...oneLine },
  state: { gridArea: 'state', display: 'flex' },
  clip: { gridArea: 'clip', display: 'flex', fontSize: '16px', color: tokens.colorNeutralForeground3 },
  date: {
    gridArea: 'date',
    textAlign: 'right',
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
});

/** What a row shows of a message or a draft. */
interface Shown {
  _id: string;
  subject: string;
  /** Plain text. */
  body: string;
  attachment_count: number;
}

interface Props extends Omit<ShellProps, 'children' | 'isTall'> {
  row: Shown;
  /** The sender or the recipients. */
  people: RowPeople;
  /** ISO 8601. */
  date: string;
  /** The date in words, where a date alone would say too little. */
  when?: string;
  /** What a press on the row does: it goes to a page, or it opens a window above this one. */
  open: { to: string; state: FromList; onEnter: () => void; onLeave: () => void } | { onPress: () => void };
  /** Messages of the conversation that the row stands for. */
  count?: number;
  /**
   * The address whose picture is shown beside two lines; left out for one line without a picture.
   */
  pictureOf?: string | undefined;
  /** The state of its delivery. */
  state?: ReactNode;
  /** Stands before the subject. */
  labels?: ReactNode;
}

/** One row of a list of mail. */
export function MailRow(props: Props) {
  const { open, isStacked = false, isOpen = false } = props;
  const styles = useStyles();
  const linkClass = mergeClasses(
    styles.link,
    props.pictureOf && styles.relaxed,
    props.when && styles.withWhen,
    isStacked && styles.stacked,
  );
  return (
    <RowShell {...props}>
      {'to' in open ? (
        <Link
          className={linkClass}
          to={open.to}
          state={open.state}
          onPointerEnter={open.onEnter}
          onPointerLeave={open.onLeave}
          aria-current={isOpen ? 'true' : undefined}
          data-row-link
        >
          <Cells {...props} />
        </Link>
      ) : (
        <button type="button" className={linkClass} onClick={open.onPress} data-row-link>
          <Cells {...props} />
        </button>
      )}
    </RowShell>
  );
}

function Cells({ row, people, date, when, isUnread, state, labels, count = 1, pictureOf, isStacked }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const subject = (
    <span
      className={mergeClasses(
        styles.subject,
        isStacked && styles.subjectStacked,
        Boolean(labels) && styles.subjectNamed,
      )}
      dir="auto"
    >
      {rowSubject(row)}
    </span>
  );
  return (
    <>
      {pictureOf && (
        <span className={styles.avatar}>
          <Initials name={pictureOf} />
        </span>
      )}
      <span className={styles.people}>
        {/* Outside of the names, because its letters would decide the direction of the names */}
        {isUnread && <VisuallyHidden>{t.unread} </VisuallyHidden>}
        <span className={styles.names} dir="auto">
          <People people={people} />
        </span>
        {count > 1 && (
          <span className={styles.count}>
            <span aria-hidden>{count}</span>
            <VisuallyHidden>{t.messageCount(count)}</VisuallyHidden>
          </span>
        )}
      </span>
      <span className={mergeClasses(styles.text, isStacked && styles.textStacked)}>
        {labels ? (
          <span className={mergeClasses(styles.named, isStacked && styles.subjectStacked)}>
            {labels}
            {subject}
          </span>
        ) : (
          subject
        )}
        <span className={styles.preview} dir="auto">
          {rowPreview(row)}
        </span>
      </span>
      {state && <span className={styles.state}>{state}</span>}
      {row.attachment_count > 0 && (
        <span className={styles.clip} role="img" aria-label={t.hasAttachments}>
          <AttachRegular />
        </span>
      )}
      <time className={styles.date} dateTime={date} title={fullDate(date)}>
        {when ?? rowDate(date)}
      </time>
    </>
  );
}
