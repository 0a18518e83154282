import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import { StateWord } from '../../components/StateWord.tsx';
import { useWords } from '../../lib/i18n.ts';
import type { FromList } from '../../lib/origin.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { describeSent, wordsForState } from './delivery-words.ts';
import { belongsTo } from './folder-rules.ts';
import { LabelChips } from './labels/LabelChips.tsx';
import { labelsOf } from './labels/row-labels.ts';
import { MailRow } from './MailRow.tsx';
import { RowActions } from './RowActions.tsx';
import { placedAt, subjectOf, writersOf } from './row-words.ts';
import { timeInWords } from './time-in-words.ts';
import { StarButton } from './StarButton.tsx';
import type { StatusPatch } from './use-change-status.ts';

interface Props {
  row: EmailRowDto;
  /** Its state for all of its recipients together, in the list of sent mail. */
  sent: SentDeliveryDto | undefined;
  /** Address of the message's page. */
  to: string;
  state: FromList;
  heading: string | undefined;
  /** The list is Snoozed: its rows show when they come back, in place of when they came. */
  isInSnoozed: boolean;
  isRelaxed: boolean;
  /** In a narrow list beside the open message. */
  isStacked: boolean;
  /** It is the open message. */
  isOpen: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  /** Left out for people who may not change it. */
  onChange: ((patch: StatusPatch, isSaid?: boolean) => void) | undefined;
  onEnter: () => void;
  onLeave: () => void;
  onFocus: () => void;
}

/**
 * One message of a folder, or the newest of a conversation. Opening it marks it read, which the
 * message's own page does.
 */
export function MessageRow(props: Props) {
  const { row, sent, to, state: from, isInSnoozed, isRelaxed, onChange, onEnter, onLeave, ...rest } = props;
  const t = useWords(snoozeWords);
  const known = row.delivery_state && row.send_status ? wordsForState(row.delivery_state) : null;
  const delivery = sent ? describeSent(sent) : known;
  const until = belongsTo('snoozed', row) && row.snoozed_until ? timeInWords(new Date(row.snoozed_until)) : null;
  // A message that has come back says so until it is read
  const isBack = row.returned_at !== null && !row.read_status;
  const sleep = until !== null && !isInSnoozed ? t.sleeps({ when: until }) : isBack && until === null && t.returned;
  const state = delivery ? (
    <StateWord kind={delivery.kind}>{delivery.word}</StateWord>
  ) : (
    sleep && <StateWord kind="waiting">{sleep}</StateWord>
  );
  const labels = labelsOf(row);
  const toggleStar = onChange && (() => onChange({ star_status: !row.star_status }, false));
  return (
    <MailRow
      row={row}
      people={writersOf(row)}
      pictureOf={isRelaxed ? row.sender_name || row.sender_email || '?' : undefined}
      count={row.thread?.count ?? 1}
      date={(isInSnoozed ? row.snoozed_until : null) ?? placedAt(row)}
      {...(isInSnoozed && until !== null && { when: until })}
      open={{ to, state: from, onEnter, onLeave }}
      isUnread={!row.read_status}
      star={<StarButton subject={subjectOf(row)} isStarred={row.star_status} onPress={toggleStar} />}
      state={state}
      labels={labels.length > 0 && <LabelChips ids={labels} />}
      actions={onChange && <RowActions row={row} onChange={onChange} />}
      {...rest}
    />
  );
}
