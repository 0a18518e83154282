import type { SearchRowDto } from '@selvage/core/contracts/search';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { Link } from 'react-router-dom';
import { IconButton } from '../../../components/IconButton.tsx';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { FromList } from '../../../lib/origin.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { coverLink, oneLine } from '../../../theme/styles.ts';
import { mailListWords } from '../../../words/mail-list.ts';
import { pageWords } from '../../../words/pages.ts';
import { searchWords } from '../../../words/search.ts';
import { openSavedDraft } from '../compose/unsent.ts';
import { LabelChips } from '../labels/LabelChips.tsx';
import { labelsOf } from '../labels/row-labels.ts';
import { useOwnFolders } from '../own-folders/use-own-folders.ts';
import { People } from '../People.tsx';
import { recipientsIn, subjectOf } from '../row-words.ts';
import { senderIn } from '../senders.ts';
import { RowActions } from '../RowActions.tsx';
import { RowShell } from '../RowShell.tsx';
import { StarButton } from '../StarButton.tsx';
import type { StatusPatch } from '../use-change-status.ts';
import { addressOf, isMessage, placeOf } from './found-place.ts';
import { Marked } from './Marked.tsx';

const useStyles = makeStyles({
  noStar: { width: '24px' },
  // The link covers these, and neither the tick nor the star beside them
  cells: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
    gridTemplateAreas: '"people place clip date" "text text text text"',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    rowGap: '2px',
    flexGrow: 1,
    minWidth: 0,
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalS} ${tokens.spacingHorizontalXS}`,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
  },
  people: { gridArea: 'people', color: tokens.colorNeutralForeground1, ...oneLine },
  text: {
    gridArea: 'text',
    display: 'flex',
    gap: tokens.spacingHorizontalS,
    minWidth: 0,
    [onNarrow]: { flexDirection: 'column', gap: 0 },
  },
  subject: {
    flexShrink: 0,
    maxWidth: '50%',
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    ...oneLine,
    ...coverLink,
    [onNarrow]: { maxWidth: '100%' },
  },
  draft: {
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    fontFamily: 'inherit',
    fontSize: 'inherit',
    fontWeight: 'inherit',
    lineHeight: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
  },
  snippet: {
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
    ...oneLine,
    // A hit in the middle of a line would be outside of a narrow screen
    [onNarrow]: { whiteSpace: 'normal', display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical' },
  },
  place: {
    gridArea: 'place',
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
  },
  clip: { gridArea: 'clip', display: 'flex', fontSize: '16px', color: tokens.colorNeutralForeground3 },
  date: {
    gridArea: 'date',
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
});

interface Props {
  row: SearchRowDto;
  state: FromList;
  heading: string | undefined;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  /** Left out for drafts, and for people who may not change it. */
  onChange: ((patch: StatusPatch, isSaid?: boolean) => void) | undefined;
  /** Asks whether the draft is deleted; left out for messages. */
  onDelete: (() => void) | undefined;
  onEnter: () => void;
  onLeave: () => void;
  onFocus: () => void;
}

/** The passage with the hit, or the name of the file that has it. */
function Snippet({ row: { body, marks, found_files, is_in_files } }: Pick<Props, 'row'>) {
  const t = useWords(searchWords);
  const [file] = found_files;
  if (is_in_files) return t.foundInFiles;
  if (file && marks.body.length === 0) return t.foundIn({ name: file });
  return <Marked text={body} marks={marks.body} />;
}

/** A message that was found: the sender, the subject, and the place in the text. */
export function SearchRow(props: Props) {
  const { row, isChosen, heading, onChoose, onChange, onDelete, onFocus } = props;
  const styles = useStyles();
  const t = useWords(mailListWords);
  const toggleStar = onChange && (() => onChange({ star_status: !row.star_status }, false));
  const star = isMessage(row) ? (
    <StarButton subject={subjectOf(row)} isStarred={row.star_status} onPress={toggleStar} />
  ) : (
    <span className={styles.noStar} />
  );
  const actions = onDelete ? (
    <IconButton
      size="small"
      label={t.deleteRow({ subject: subjectOf(row) })}
      icon={<DeleteRegular />}
      onClick={onDelete}
    />
  ) : (
    onChange && <RowActions row={row} onChange={onChange} />
  );
  return (
    <RowShell
      isTall
      row={row}
      heading={heading}
      isUnread={!row.read_status}
      isChosen={isChosen}
      onChoose={onChoose}
      onFocus={onFocus}
      star={star}
      actions={actions}
    >
      <Cells {...props} />
    </RowShell>
  );
}

function Cells(props: Props) {
  const { row } = props;
  const styles = useStyles();
  const mail = useWords(mailListWords);
  const pages = useWords(pageWords);
  const folders = useOwnFolders();
  const place = placeOf(row);
  const own = folders.find(({ _id }) => _id === row.own_folder)?.name ?? pages.folder;
  const placeName = place === 'own' ? own : pages[place];
  const isFromSender = place !== 'draft' && (!row.send_status || row.received_status);
  const date = row.createdAt;
  return (
    <div className={styles.cells}>
      <span className={styles.people}>
        {!row.read_status && <VisuallyHidden>{mail.unread} </VisuallyHidden>}
        <bdi>
          {isFromSender ? (
            <Marked text={senderIn(row)} marks={row.sender_name ? row.marks.sender : []} />
          ) : (
            <People people={recipientsIn(row)} />
          )}
        </bdi>
      </span>
      <span className={styles.place}>
        <LabelChips ids={labelsOf(row)} />
        {placeName}
      </span>
      {row.attachment_count > 0 && (
        <span className={styles.clip} role="img" aria-label={mail.hasAttachments}>
          <AttachRegular />
        </span>
      )}
      <time className={styles.date} dateTime={date} title={fullDate(date)}>
        {rowDate(date)}
      </time>
      <span className={styles.text}>
        <Subject {...props} />
        <span className={styles.snippet} dir="auto">
          <Snippet row={row} />
        </span>
      </span>
    </div>
  );
}

/** Leads to the message; a draft is opened to go on with it. */
function Subject({ row, state, onEnter, onLeave }: Props) {
  const styles = useStyles();
  const mail = useWords(mailListWords);
  const words = row.subject.trim() === '' ? mail.noSubject : <Marked text={row.subject} marks={row.marks.subject} />;
  const { draft_id: draftId, subject } = row;
  if (draftId !== null) {
    return (
      <button
        type="button"
        className={mergeClasses(styles.subject, styles.draft)}
        onClick={() => void openSavedDraft({ _id: draftId, subject })}
        dir="auto"
        data-row-link
      >
        {words}
      </button>
    );
  }
  return (
    <Link
      className={styles.subject}
      to={addressOf(row)}
      state={state}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      dir="auto"
      data-row-link
    >
      {words}
    </Link>
  );
}
