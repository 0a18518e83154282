import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { Link } from 'react-router-dom';
import { TickBox } from '../../components/list/TickBox.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FromList } from '../../lib/origin.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { wordsForState } from './delivery-words.ts';
import { peopleOf, rowPreview, rowSubject, subjectOf } from './row-words.ts';
import { StarButton } from './StarButton.tsx';

const useStyles = makeStyles({
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
    color: 'inherit',
    textDecorationLine: 'none',
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
  people: { gridArea: 'people', ...oneLine },
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

interface Props {
  row: EmailRowDto;
  to: string;
  state: FromList;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  /** Left out when the person may not change the message. */
  onStar: (() => void) | undefined;
  onEnter: () => void;
  onLeave: () => void;
  onFocus: () => void;
}

/** One message of a list. Opening it marks it read, which the message's own page does. */
export function MessageRow({ row, to, state, isChosen, onChoose, onStar, onEnter, onLeave, onFocus }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const lists = useWords(listWords);
  const subject = subjectOf(row);
  const delivery = row.delivery_state && row.send_status ? wordsForState(row.delivery_state) : null;
  const isUnread = !row.read_status;
  return (
    <li
      className={mergeClasses(styles.row, isUnread && styles.unread, isChosen && styles.chosen)}
      data-entry={row._id}
      onFocus={onFocus}
    >
      {isUnread && <span className={styles.dot} aria-hidden />}
      <TickBox label={lists.select({ name: subject })} isTicked={isChosen} onTick={onChoose} />
      <span className={styles.star}>
        <StarButton subject={subject} isStarred={row.star_status} onPress={onStar} />
      </span>
      <Link
        className={styles.link}
        to={to}
        state={state}
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
        data-row-link
      >
        <span className={styles.people} dir="auto">
          {isUnread && <VisuallyHidden>{t.unread} </VisuallyHidden>}
          {peopleOf(row)}
        </span>
        <span className={styles.text}>
          <span className={styles.subject} dir="auto">
            {rowSubject(row)}
          </span>
          <span className={styles.preview} dir="auto">
            {rowPreview(row)}
          </span>
        </span>
        {delivery && (
          <span className={styles.state}>
            <StateWord kind={delivery.kind}>{delivery.word}</StateWord>
          </span>
        )}
        {row.attachment_count > 0 && (
          <span className={styles.clip} role="img" aria-label={t.hasAttachments}>
            <AttachRegular />
          </span>
        )}
        <time className={styles.date} dateTime={row.createdAt} title={fullDate(row.createdAt)}>
          {rowDate(row.createdAt)}
        </time>
      </Link>
    </li>
  );
}
