import { Button, makeStyles } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { useWords } from '../../../lib/i18n.ts';
import { heights } from '../../../theme/own-tokens.ts';
import { composeWords } from '../../../words/compose.ts';
import { type ListName, listNames } from './composition.ts';
import { RecipientField } from './RecipientField.tsx';
import { useRecipientMoves } from './use-recipient-moves.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  row: { display: 'contents' },
  more: { display: 'flex' },
  // As high as the line that they stand in
  button: { minWidth: 'auto', minHeight: heights.control },
});

interface Props {
  message: OpenMessage;
  /** The To field has the focus when the window opens. */
  startsInTo: boolean;
}

/** To, and Cc and Bcc once they are asked for or filled. */
export function RecipientRows({ message, startsInTo }: Props) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const { lists, typed } = useStore(message.composition);
  const [asked, setAsked] = useState<ListName[]>([]);
  const moves = useRecipientMoves(message);
  // While a recipient is dragged, there is a field for each place it can go
  const isShown = (name: ListName): boolean =>
    moves.isDragging || name === 'to' || asked.includes(name) || lists[name].length > 0 || typed[name] !== '';
  const hidden = listNames.filter((name) => !isShown(name));
  const more = hidden.length > 0 && (
    <span className={styles.more}>
      {hidden.map((name) => (
        <Button
          key={name}
          className={styles.button}
          size="small"
          appearance="subtle"
          onClick={() => setAsked([...asked, name])}
        >
          {t[name]}
        </Button>
      ))}
    </span>
  );
  return listNames.filter(isShown).map((name) => (
    <div key={name} className={styles.row} data-list={name} {...moves.handlersOf(name)}>
      <RecipientField
        label={t[name]}
        recipients={lists[name]}
        text={typed[name]}
        onChange={({ recipients, text }) => {
          const now = message.composition.get();
          message.write({ lists: { ...now.lists, [name]: recipients }, typed: { ...now.typed, [name]: text } });
        }}
        takesFocus={asked.at(-1) === name}
        hasFocus={name === 'to' && startsInTo}
        aside={name === 'to' && more}
      />
    </div>
  ));
}
