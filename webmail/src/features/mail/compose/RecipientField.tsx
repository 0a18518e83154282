import { Field, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { addRecipients } from './recipients.ts';

const useStyles = makeStyles({
  field: { gridTemplateColumns: '64px minmax(0, 1fr)' },
  box: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minHeight: '32px',
    maxHeight: '88px',
    overflowY: 'auto',
    padding: `2px ${tokens.spacingHorizontalS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    cursor: 'text',
    ':focus-within': { borderBottomColor: tokens.colorCompoundBrandStroke },
  },
  chip: {
    display: 'inline-flex',
    alignItems: 'center',
    maxWidth: '100%',
    paddingLeft: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    fontSize: tokens.fontSizeBase200,
  },
  marked: { backgroundColor: tokens.colorBrandBackground, color: tokens.colorNeutralForegroundOnBrand },
  address: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  remove: {
    display: 'inline-flex',
    padding: '4px',
    border: 'none',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'transparent',
    color: 'inherit',
    cursor: 'pointer',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  input: {
    flexGrow: 1,
    minWidth: '64px',
    border: 'none',
    outlineStyle: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    lineHeight: '26px',
  },
});

interface Props {
  label: string;
  addresses: string[];
  onChange: (addresses: string[]) => void;
  /** Text that is not a chip yet; kept by the dialog, because it must not be lost when Send is pressed. */
  text: string;
  onText: (text: string) => void;
  hasFocus?: boolean;
}

/** A list of addresses as chips. Enter, comma or leaving the field adds; the second Backspace in the empty field takes the last away. */
export function RecipientField({ label, addresses, onChange, text, onText, hasFocus = false }: Props) {
  const styles = useStyles();
  const inputId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLastMarked, setLastMarked] = useState(false);

  const add = (typed: string): void => {
    const added = addRecipients(addresses, typed);
    setProblem(added.problem);
    onText(added.rest);
    if (added.addresses.length !== addresses.length) onChange(added.addresses);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && text === '' && addresses.length > 0) {
      event.preventDefault();
      if (isLastMarked) onChange(addresses.slice(0, -1));
      setLastMarked(!isLastMarked);
      return;
    }
    setLastMarked(false);
    const adds = event.key === 'Enter' || event.key === ',' || event.key === ';';
    if (!adds) return;
    event.preventDefault();
    if (text.trim()) add(text);
  };
  const handlePaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\t<]/.test(pasted.trim())) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };
  const handleBlur = (): void => {
    setLastMarked(false);
    if (text.trim()) add(text);
  };

  return (
    <Field
      label={{ children: label, htmlFor: inputId }}
      orientation="horizontal"
      className={styles.field}
      {...(problem ? { validationState: 'error' as const, validationMessage: problem } : {})}
    >
      <div className={styles.box} onClick={() => inputRef.current?.focus()}>
        {addresses.map((address, index) => (
          <Chip
            key={address}
            address={address}
            isMarked={isLastMarked && index === addresses.length - 1}
            onRemove={() => {
              onChange(addresses.filter((other) => other !== address));
              inputRef.current?.focus();
            }}
          />
        ))}
        <input
          id={inputId}
          ref={inputRef}
          className={styles.input}
          value={text}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={problem !== null}
          {...(hasFocus ? { 'data-autofocus': true } : {})}
          onChange={(event) => {
            setProblem(null);
            onText(event.target.value.replace(/\s+/g, ''));
          }}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          onBlur={handleBlur}
        />
      </div>
    </Field>
  );
}

interface ChipProps {
  address: string;
  isMarked: boolean;
  onRemove: () => void;
}

function Chip({ address, isMarked, onRemove }: ChipProps) {
  const styles = useStyles();
  return (
    <span className={mergeClasses(styles.chip, isMarked && styles.marked)}>
      <span className={styles.address}>{address}</span>
      <button type="button" className={styles.remove} aria-label={`Remove ${address}`} onClick={onRemove}>
        <DismissRegular aria-hidden />
      </button>
    </span>
  );
}
