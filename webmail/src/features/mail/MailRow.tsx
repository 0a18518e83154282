import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { Initials } from '../../components/Initials.tsx';
import { TickBox } from '../../components/list/TickBox.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FromList } from '../../lib/origin.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { People, type RowPeople } from './People.tsx';
import { rowPreview, rowSubject, subjectOf } from './row-words.ts';

const useStyles = makeStyles({
  heading: {
    margin: 0,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS} 44px`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground3,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    [onNarrow]: { paddingLeft: tokens.spacingHorizontalM },
  },
  row: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    paddingLeft: tokens.spacingHorizontalS,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    color: tokens.colorNeutralForeground2,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [onNarrow]: { alignItems: 'flex-start', paddingLeft: 0 },
  },
  unread: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
  chosen: {
    backgroundColor: tokens.colorBrandBackground2,
    ':hover': { backgroundColor: tokens.colorBrandBackground2Hover },
  },
  dot: {
    position: 'absolute',
    left: '3px',
    top: 'calc(50% - 3px)',
    width: '6px',
    height: '6px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorCompoundBrandBackground,
  },
  // as high as the tick beside it
  star: { display: 'flex', [onNarrow]: { marginTop: '4px' } },
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
  // two lines beside a picture of the writer
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
  // the same as on a narrow screen
  stacked: {
    gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
    gridTemplateAreas: '"people state clip date" "text text text text"',
    rowGap: '2px',
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} 0`,
  },
  textStacked: { flexDirection: 'column', gap: 0 },
  subjectStacked: { maxWidth: '100%' },
  open: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    boxShadow: `inset 3px 0 0 ${tokens.colorCompoundBrandBackground}`,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
  },
  avatar: { gridArea: 'avatar', display: 'flex', [onNarrow]: { display: 'none' } },
  actions: {
    position: 'absolute',
    right: tokens.spacingHorizontalL,
    top: 0,
    bottom: 0,
    display: 'flex',
    alignItems: 'center',
    paddingLeft: tokens.spacingHorizontalS,
    backgroundColor: tokens.colorNeutralBackground1Hover,
    [onNarrow]: { display: 'none' },
  },
  actionsStacked: { right: 0, paddingRight: tokens.spacingHorizontalM },
  actionsOfOpen: { backgroundColor: tokens.colorNeutralBackground1Selected },
  actionsOfChosen: { backgroundColor: tokens.colorBrandBackground2Hover },
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

interface Props {
  row: Shown;
  /** Whom it is from, or for. */
  people: RowPeople;
  /** ISO 8601. */
  date: string;
  /** The date in words, where a date alone would say too little. */
  when?: string;
  /** What a press on the row does: it leads to a page, or it opens something above this one. */
  open: { to: string; state: FromList; onEnter: () => void; onLeave: () => void } | { onPress: () => void };
  isUnread?: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  onFocus: () => void;
  star?: ReactNode;
  /** What stands over the row, such as the day of it and those below. */
  heading?: string | undefined;
  /** Messages of the conversation that the row stands for. */
  count?: number;
  /** Whose picture stands beside two lines; left out for one line without a picture. */
  pictureOf?: string | undefined;
  /** Two lines and more, for a narrow list. */
  isStacked?: boolean;
  /** The message is open beside the list. */
  isOpen?: boolean;
  /** Buttons in place of the date, while the pointer is over the row. */
  actions?: ReactNode;
  /** What became of it. */
  state?: ReactNode;
  /** Stands before the subject. */
  labels?: ReactNode;
}

/** One row of a list of mail. */
export function MailRow(props: Props) {
  const { row, open, isUnread = false, isChosen, onChoose, onFocus, star, heading, actions } = props;
  const { isStacked = false, isOpen = false } = props;
  const [isUnderPointer, setUnderPointer] = useState(false);
  const styles = useStyles();
  const lists = useWords(listWords);
  const linkClass = mergeClasses(
    styles.link,
    props.pictureOf && styles.relaxed,
    props.when && styles.withWhen,
    isStacked && styles.stacked,
  );
  return (
    <li data-entry={row._id} onFocus={onFocus}>
      {heading && <h2 className={styles.heading}>{heading}</h2>}
      <div
        className={mergeClasses(
          styles.row,
          isUnread && styles.unread,
          isOpen && styles.open,
          isChosen && styles.chosen,
        )}
        onPointerMove={({ pointerType }) => setUnderPointer(pointerType === 'mouse')}
        onPointerLeave={() => setUnderPointer(false)}
      >
        {isUnread && <span className={styles.dot} aria-hidden />}
        <TickBox label={lists.select({ name: subjectOf(row) })} isTicked={isChosen} onTick={onChoose} />
        {star && <span className={styles.star}>{star}</span>}
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
        {isUnderPointer && actions && (
          <span
            className={mergeClasses(
              styles.actions,
              isStacked && styles.actionsStacked,
              isOpen && styles.actionsOfOpen,
              isChosen && styles.actionsOfChosen,
            )}
          >
            {actions}
          </span>
        )}
      </div>
    </li>
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
        {/* beside the names: its letters would decide where these begin */}
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
