import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { TracedDto } from '@selvage/core/contracts/trace';
import { makeStyles, tokens } from '@fluentui/react-components';
import { type Column, TIME_WIDTH } from '../../components/list/columns.ts';
import { companyColumns } from '../../components/list/company-parts.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { traceStateWords, traceWords } from '../../words/message-trace.ts';
import { kindOfState, reasonInWords } from './reason-in-words.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  address: { overflow: 'hidden', textOverflow: 'ellipsis', unicodeBidi: 'isolate' },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
});

/**
 * Without a sender it is a report; a flood of refusals is counted without its senders and
 * recipients.
 */
export function senderOf({ sender, answers }: TracedDto): string {
  const t = wordsOf(traceWords);
  return sender || (answers > 1 ? t.manySenders : t.nullSender);
}

/** Null where none was named, as in a refusal of the sender. */
export function recipientOf({ recipient, answers }: Pick<TracedDto, 'recipient' | 'answers'>): string | null {
  return recipient || (answers > 1 ? wordsOf(traceWords).manyRecipients : null);
}

/** A row in a few words. */
export function nameOfTraced(row: TracedDto): string {
  const t = wordsOf(traceWords);
  const [sender, recipient] = [senderOf(row), recipientOf(row)];
  return recipient === null ? t.rowNameAlone({ sender }) : t.rowName({ sender, recipient });
}

function Addresses({ row }: { row: TracedDto }) {
  const styles = useStyles();
  const t = useWords(traceWords);
  const recipient = recipientOf(row);
  return (
    <span className={styles.stack}>
      <span className={styles.address} title={senderOf(row)}>
        {senderOf(row)}
      </span>
      <span className={styles.quiet} title={recipient ?? t.noRecipient}>
        {recipient === null ? t.noRecipient : t.toRecipient({ recipient })}
      </span>
    </span>
  );
}

function Outcome({ row: { state, reason, answers } }: { row: TracedDto }) {
  const styles = useStyles();
  const t = useWords(traceWords);
  const s = useWords(traceStateWords);
  const said = reasonInWords(reason);
  const isPlain = reason === 'stored_locally' || reason === 'remote_accepted';
  return (
    <span className={styles.stack}>
      <StateWord kind={kindOfState[state]}>{s[state]}</StateWord>
      {!isPlain && (
        <span className={styles.quiet} title={said}>
          {answers > 1 ? `${t.answers(answers)}: ${said}` : said}
        </span>
      )}
    </span>
  );
}

/** Where each message went; people of the provider also see whose it is. */
export function traceColumns(caller: CurrentUserDto | undefined): Column<TracedDto>[] {
  const t = wordsOf(traceWords);
  const s = wordsOf(traceStateWords);
  const way = ({ direction }: TracedDto): string => (direction === 'in' ? t.incoming : t.outgoing);
  return [
    { id: 'sender', title: t.message, cell: (row) => <Addresses row={row} />, text: ({ sender }) => sender },
    { id: 'way', title: '', cell: way, text: way, width: '56px', isWideOnly: true },
    { id: 'what', title: t.what, cell: (row) => <Outcome row={row} />, text: ({ state }) => s[state], width: '30%' },
    ...companyColumns<TracedDto>(caller, t.company),
    {
      id: 'createdAt',
      title: t.time,
      cell: ({ createdAt }) => fullDate(createdAt),
      text: ({ createdAt }) => createdAt,
      width: TIME_WIDTH,
    },
  ];
}

/** The columns of the file: those of the screen, and further ones. */
export function exportedTraceColumns(all: Column<TracedDto>[]): Column<TracedDto>[] {
  const t = wordsOf(traceWords);
  const titles: Record<string, string> = { sender: t.sender, way: t.way };
  const hidden = (id: string, title: string, text: (row: TracedDto) => string): Column<TracedDto> => ({
    id,
    title,
    cell: text,
    text,
  });
  return [
    ...all.map((column) => ({ ...column, title: titles[column.id] ?? column.title })),
    hidden('recipient', t.recipient, ({ recipient }) => recipient),
    hidden('reason', t.reason, ({ reason }) => reason ?? ''),
    hidden('answers', t.answerCount, ({ answers }) => String(answers)),
  ];
}
