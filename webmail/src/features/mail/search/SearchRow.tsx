import type { SearchRowDto } from '@selvage/core/contracts/search';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { Link } from 'react-router-dom';
import { TickBox } from '../../../components/list/TickBox.tsx';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { fullDate, rowDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { FromList } from '../../../lib/origin.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { coverLink, oneLine } from '../../../theme/styles.ts';
import { listWords } from '../../../words/lists.ts';
import { mailListWords } from '../../../words/mail-list.ts';
import { pageWords } from '../../../words/pages.ts';
import { searchWords } from '../../../words/search.ts';
import { openSavedDraft } from '../compose/unsent.ts';
import { LabelChips } from '../labels/LabelChips.tsx';
import { labelsOf } from '../labels/row-labels.ts';
import { useOwnFolders } from '../own-folders/use-own-folders.ts';
import { People } from '../People.tsx';
import { recipientsIn, senderIn, subjectOf } from '../row-words.ts';
import { Marked } from './Marked.tsx';

const useStyles = makeStyles({
  row: {
    position: 'relative',
    display: 'flex',
    alignItems: 'flex-start',
    paddingLeft: tokens.spacingHorizontalS,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    color: tokens.colorNeutralForeground2,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [onNarrow]: { paddingLeft: 0 },
  },
  chosen: { backgroundColor: tokens.colorBrandBackground2 },
  tick: { position: 'relative', zIndex: 1, paddingTop: tokens.spacingVerticalXS },
  cells: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto auto auto',
    gridTemplateAreas: '"people place clip date" "text text text text"',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    rowGap: '2px',
    flexGrow: 1,
    minWidth: 0,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalS} ${tokens.spacingHorizontalXS}`,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
  },
  people: { gridArea: 'people', color: tokens.colorNeutralForeground1, ...oneLine },
  unread: { fontWeight: tokens.fontWeightSemibold },
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
    lineHeight: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
  },
  snippet: {
    color: tokens.colorNeutralForeground3,
    ...oneLine,
    // A hit in the middle of a line would stand outside of a narrow screen
    [onNarrow]: { whiteSpace: 'normal', display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical' },
  },
  place: {
    gridArea: 'place',
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    fontSize: tokens.fontSizeBase200,
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
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  onFocus: () => void;
}

/** The place in the text, or else in which file it is. */
function Snippet({ row: { body, marks, found_files, is_in_files } }: Pick<Props, 'row'>) {
  const t = useWords(searchWords);
  const [file] = found_files;
  if (is_in_files) return t.foundInFiles;
  if (file && marks.body.length === 0) return t.foundIn({ name: file });
  return <Marked text={body} marks={marks.body} />;
}

/** Where the message is, as its flags say now. */
function placeOf(row: SearchRowDto): SearchRowDto['folder'] {
  if (row.draft_id !== null) return 'draft';
  if (row.trash_status) return 'trash';
  if (row.junk_status) return 'junk';
  if (row.archive_status) return 'archive';
  if (row.own_folder) return 'own';
  if (row.snoozed_status) return 'snoozed';
  return row.send_status ? 'sent' : 'inbox';
}

/** A message that was found: who, the subject, and the place in the text. */
export function SearchRow({ row, state, isChosen, onChoose, onFocus }: Props) {
  const styles = useStyles();
  const lists = useWords(listWords);
  const mail = useWords(mailListWords);
  const pages = useWords(pageWords);
  const folders = useOwnFolders();
  const place = placeOf(row);
  const own = folders.find(({ _id }) => _id === row.own_folder)?.name ?? pages.folder;
  const placeName = place === 'own' ? own : pages[place];
  const isFromSender = place !== 'draft' && (!row.send_status || row.received_status);
  return (
    <li className={mergeClasses(styles.row, isChosen && styles.chosen)} data-entry={row._id} onFocus={onFocus}>
      <span className={styles.tick}>
        <TickBox label={lists.select({ name: subjectOf(row) })} isTicked={isChosen} onTick={onChoose} />
      </span>
      <div className={styles.cells}>
        <span className={mergeClasses(styles.people, !row.read_status && styles.unread)}>
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
        <time className={styles.date} dateTime={row.createdAt} title={fullDate(row.createdAt)}>
          {rowDate(row.createdAt)}
        </time>
        <span className={styles.text}>
          <Subject row={row} place={place} state={state} />
          <span className={styles.snippet} dir="auto">
            <Snippet row={row} />
          </span>
        </span>
      </div>
    </li>
  );
}

/** Leads to the message; a draft is opened to go on with it. */
function Subject({ row, place, state }: Pick<Props, 'row' | 'state'> & { place: SearchRowDto['folder'] }) {
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
      className={mergeClasses(styles.subject, !row.read_status && styles.unread)}
      to={`/dashboard/${place === 'own' ? 'inbox' : place}/${row._id}`}
      state={state}
      dir="auto"
      data-row-link
    >
      {words}
    </Link>
  );
}
