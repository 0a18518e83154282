import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { StateWord } from '../../components/StateWord.tsx';
import type { FromList } from '../../lib/origin.ts';
import { wordsForState } from './delivery-words.ts';
import { MailRow } from './MailRow.tsx';
import { peopleOf, subjectOf } from './row-words.ts';
import { StarButton } from './StarButton.tsx';

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
  const delivery = row.delivery_state && row.send_status ? wordsForState(row.delivery_state) : null;
  return (
    <MailRow
      row={row}
      people={peopleOf(row)}
      date={row.createdAt}
      open={{ to, state, onEnter, onLeave }}
      isUnread={!row.read_status}
      isChosen={isChosen}
      onChoose={onChoose}
      onFocus={onFocus}
      star={<StarButton subject={subjectOf(row)} isStarred={row.star_status} onPress={onStar} />}
      state={delivery && <StateWord kind={delivery.kind}>{delivery.word}</StateWord>}
    />
  );
}
