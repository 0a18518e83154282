import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { Badge, Checkbox, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import { Link } from 'react-router-dom';
import { IconButton } from '../../components/IconButton.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../lib/format.ts';
import { chipOf } from './delivery-words.ts';
import { peopleOf, rowPreview, rowSubject, subjectOf } from './row-words.ts';

const SMALL = '@media (max-width: 719px)';

const useStyles = makeStyles({
  row: {
    display: 'flex',
    alignItems: 'center',
    paddingLeft: tokens.spacingHorizontalM,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground2,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [SMALL]: { alignItems: 'flex-start', paddingLeft: tokens.spacingHorizontalXS },
  },
  unread: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
  chosen: { backgroundColor: tokens.colorBrandBackground2 },
  mark: {
    width: '3px',
    flexShrink: 0,
    alignSelf: 'stretch',
    marginLeft: `calc(-1 * ${tokens.spacingHorizontalM})`,
    marginRight: '9px',
    [SMALL]: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalXS})`, marginRight: '1px' },
  },
  unreadMark: { backgroundColor: tokens.colorCompoundBrandBackground },
  link: {
    display: 'grid',
    gridTemplateColumns: 'minmax(140px, 200px) minmax(0, 1fr) auto auto 76px',
    gridTemplateAreas: '"people text chip clip date"',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    flexGrow: 1,
    minWidth: 0,
    minHeight: '44px',
    padding: `0 ${tokens.spacingHorizontalL} 0 ${tokens.spacingHorizontalS}`,
    color: 'inherit',
    textDecorationLine: 'none',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    [SMALL]: {
      gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
      gridTemplateAreas: '"people people clip date" "text text text chip"',
      rowGap: '2px',
      padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} ${tokens.spacingHorizontalXS}`,
    },
  },
  people: { gridArea: 'people', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  text: {
    gridArea: 'text',
    display: 'flex',
    gap: tokens.spacingHorizontalS,
    minWidth: 0,
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    [SMALL]: { flexDirection: 'column', gap: 0 },
  },
  subject: {
    flexShrink: 0,
    maxWidth: '60%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    [SMALL]: { maxWidth: '100%' },
  },
  preview: {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
  },
  chip: { gridArea: 'chip', display: 'flex', [SMALL]: { alignSelf: 'start', justifySelf: 'end' } },
  clip: { gridArea: 'clip', display: 'flex', fontSize: '16px', color: tokens.colorNeutralForeground3 },
  date: { gridArea: 'date', textAlign: 'right', fontSize: tokens.fontSizeBase200, whiteSpace: 'nowrap' },
  star: { color: tokens.colorPaletteMarigoldForeground1 },
});

interface Props {
  row: EmailRowDto;
  to: string;
  state: { from: string };
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onStar: () => void;
  onOpen: () => void;
  onHover: () => void;
  onFocus: () => void;
}

export function MessageRow({ row, to, state, isChosen, onChoose, onStar, onOpen, onHover, onFocus }: Props) {
  const styles = useStyles();
  const subject = subjectOf(row);
  const chip = row.delivery_state && row.send_status ? chipOf(row.delivery_state) : null;
  const isUnread = !row.read_status;
  return (
    <li
      className={mergeClasses(styles.row, isUnread && styles.unread, isChosen && styles.chosen)}
      data-entry={row._id}
      onFocus={onFocus}
    >
      <span className={mergeClasses(styles.mark, isUnread && styles.unreadMark)} aria-hidden />
      <Checkbox
        aria-label={`Select ${subject}`}
        checked={isChosen}
        onChange={(_event, data) => onChoose(data.checked === true)}
      />
      <IconButton
        label={row.star_status ? 'Remove star' : 'Add star'}
        aria-pressed={row.star_status}
        icon={row.star_status ? <StarFilled className={styles.star} /> : <StarRegular />}
        onClick={onStar}
      />
      <Link className={styles.link} to={to} state={state} onClick={onOpen} onPointerEnter={onHover} data-row-link>
        <span className={styles.people}>
          {isUnread && <VisuallyHidden>Unread. </VisuallyHidden>}
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
        {chip && (
          <span className={styles.chip}>
            <Badge appearance="tint" color={chip.color}>
              {chip.chip}
            </Badge>
          </span>
        )}
        {row.attachment_count > 0 && (
          <span className={styles.clip} role="img" aria-label="Has attachments">
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
