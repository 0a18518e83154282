import { mostRecipients } from '@selvage/core/contracts/mail';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { recipientWords } from '../../../words/compose.ts';
import { ComposeRow } from './ComposeRow.tsx';
import { RecipientChip } from './RecipientChip.tsx';
import { addRecipients, isOverfull, recipientOf, type Recipient } from './recipients.ts';
import { SuggestionList } from './SuggestionList.tsx';
import { type FieldValue, useRecipientField } from './use-recipient-field.ts';
import { useSuggestions } from './use-suggestions.ts';

const useStyles = makeStyles({
  box: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minHeight: '28px',
    maxHeight: '104px',
    overflowY: 'auto',
    margin: 0,
    padding: '2px',
    listStyleType: 'none',
    cursor: 'text',
  },
  place: { position: 'relative' },
  chip: { display: 'flex', minWidth: 0, maxWidth: '100%' },
  // An empty field needs no line of its own
  rest: { flexGrow: 1, flexBasis: '24px', minWidth: '24px' },
  typing: { flexBasis: '160px', minWidth: '160px' },
  input: {
    flexGrow: 1,
    minWidth: 0,
    padding: 0,
    border: 'none',
    outlineStyle: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    lineHeight: '24px',
  },
});

interface Props {
  label: string;
  recipients: readonly Recipient[];
  /** Text that is no recipient yet; kept by the message, because it must not be lost. */
  text: string;
  onChange: (value: FieldValue) => void;
  /** The window focuses this field when it opens. */
  hasFocus?: boolean;
  /** The person has just asked for this field. */
  takesFocus?: boolean;
  /** Shown at the end of the row. */
  aside?: ReactNode;
}

/**
 * A list of people as chips. A text that is no address is a red chip, which can be changed or
 * removed.
 */
export function RecipientField({
  label,
  recipients,
  text,
  onChange,
  hasFocus = false,
  takesFocus = false,
  aside,
}: Props) {
  const styles = useStyles();
  const t = useWords(recipientWords);
  const inputId = useId();
  const problemId = useId();
  const hintId = useId();
  const boxRef = useRef<HTMLUListElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const field = useRecipientField({ recipients, text, boxRef, inputRef, onChange });
  const listId = useId();
  const suggestions = useSuggestions({
    text,
    recipients,
    onTake: (person) => onChange({ recipients: addRecipients(recipients, [recipientOf(person)]), text: '' }),
    onNobody: field.addTyped,
  });
  const isOver = isOverfull(recipients);
  const overfull = isOver ? t.overfull({ most: mostRecipients, count: recipients.length }) : null;
  const problem = recipients.find((recipient) => recipient.problem !== null)?.problem ?? overfull;
  const last = recipients.at(-1);
  useEffect(() => {
    if (takesFocus) inputRef.current?.focus();
  }, [takesFocus]);

  return (
    <ComposeRow label={label} inputId={inputId} problem={problem} problemId={problemId} aside={aside}>
      <div className={styles.place}>
        <ul
          ref={boxRef}
          className={styles.box}
          aria-label={t.listOf({ field: label })}
          onClick={({ target }) => target === boxRef.current && field.focusInput()}
          onBlur={(event) => {
            if (!suggestions.waits()) field.handleBlur(event);
          }}
        >
          {recipients.map((recipient, index) => (
            <li key={recipient.address.toLowerCase()} className={styles.chip}>
              <RecipientChip
                recipient={recipient}
                isMarked={field.isLastMarked && recipient === last}
                onKeyDown={(event) => field.handleChipKey(index, event)}
                onEdit={() => field.edit(index)}
                onRemove={() => field.remove(index)}
              />
            </li>
          ))}
          <li className={mergeClasses(styles.chip, styles.rest, text !== '' && styles.typing)}>
            <input
              id={inputId}
              ref={inputRef}
              className={styles.input}
              value={text}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={suggestions.isOpen}
              aria-controls={listId}
              aria-activedescendant={suggestions.active < 0 ? undefined : `${listId}-${suggestions.active}`}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-invalid={problem !== null}
              aria-describedby={problem === null ? hintId : `${problemId} ${hintId}`}
              data-autofocus={hasFocus || undefined}
              data-wrong={isOver || undefined}
              onChange={(event) => {
                const isAfterEnter = suggestions.handleTyped();
                field.handleText(event.target.value, isAfterEnter);
              }}
              onKeyDown={(event) => {
                if (!suggestions.handleKey(event)) field.handleKey(event);
              }}
              onBlur={() => {
                if (!suggestions.waits()) suggestions.close();
              }}
              onPaste={field.handlePaste}
            />
          </li>
        </ul>
        {suggestions.isOpen && <SuggestionList id={listId} text={text} suggestions={suggestions} />}
      </div>
      <span id={hintId} hidden>
        {t.hint}
      </span>
      <VisuallyHidden>
        <span role="status">
          {field.isLastMarked && last
            ? t.pressAgain({ recipient: last.name || last.address })
            : suggestions.isOpen && t.suggested(suggestions.people.length)}
        </span>
      </VisuallyHidden>
    </ComposeRow>
  );
}
