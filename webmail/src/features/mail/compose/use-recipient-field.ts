import { mostRecipients } from '@selvage/core/contracts/mail';
import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { notify } from '../../../components/feedback/notify.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import { recipientWords } from '../../../words/compose.ts';
import {
  addRecipients,
  isInQuotes,
  isList,
  isTooMany,
  isWholeMailbox,
  readRecipients,
  type Recipient,
  textOf,
} from './recipients.ts';

export interface FieldValue {
  recipients: readonly Recipient[];
  /** Text in the field that is no recipient yet. */
  text: string;
}

interface Options extends FieldValue {
  boxRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (value: FieldValue) => void;
}

/** What the keys do in a field of recipients. */
export function useRecipientField({ recipients, text, boxRef, inputRef, onChange }: Options) {
  /** The first Backspace in the empty field marks the last recipient, the second removes it. */
  const [isLastMarked, setLastMarked] = useState(false);

  const add = (typed: string, rest = ''): void =>
    onChange({ recipients: addRecipients(recipients, readRecipients(typed)), text: rest });
  /** Makes the text in the field a recipient, if there is one. */
  const addTyped = (): void => {
    if (text.trim()) add(text);
  };
  const focusInput = (): void => inputRef.current?.focus();
  const focusChip = (index: number): void => {
    const chips = [...(boxRef.current?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])];
    (chips[index] ?? inputRef.current)?.focus();
  };

  const remove = (index: number): void => {
    onChange({ recipients: recipients.toSpliced(index, 1), text });
    setLastMarked(false);
    focusInput();
  };
  /**
   * Turns a recipient back into text, to be changed. Text in the field becomes a recipient first.
   */
  const edit = (index: number): void => {
    const chosen = recipients[index];
    if (!chosen) return;
    const others = addRecipients(recipients.toSpliced(index, 1), readRecipients(text));
    // The text must be in the field and selected before the next key
    flushSync(() => onChange({ recipients: others, text: textOf(chosen) }));
    focusInput();
    inputRef.current?.select();
  };

  /** @param isAfterEnter the person has pressed Enter behind the text that was there before */
  const handleText = (value: string, isAfterEnter: boolean): void => {
    setLastMarked(false);
    const isAppended = isAfterEnter && value.startsWith(text);
    const [ended, rest] = isAppended ? [text, value.slice(text.length)] : atSeparator(value);
    if (ended === '') onChange({ recipients, text: rest });
    else add(ended, rest);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isOfInputMethod(event.nativeEvent)) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isAtStart = selectionStart === 0 && selectionEnd === 0;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      addTyped();
    } else if (event.key === 'ArrowLeft' && isAtStart) {
      focusChip(recipients.length - 1);
    } else if (event.key === 'Backspace' && text === '' && recipients.length > 0) {
      event.preventDefault();
      if (isLastMarked) onChange({ recipients: recipients.slice(0, -1), text });
      setLastMarked(!isLastMarked);
      return;
    }
    setLastMarked(false);
  };
  const handleChipKey = (index: number, event: KeyboardEvent): void => {
    runOn(event, chipActions({ index, focusChip, focusInput, edit, remove })[event.key]);
  };
  const handlePaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { pasted, whole } = textAfterPaste(event);
    const isRefused = isTooMany(whole, recipients);
    if (!isRefused && !isList(pasted) && !isList(whole)) return;
    event.preventDefault();
    if (isRefused) notify.failure(wordsOf(recipientWords).tooMany({ most: mostRecipients }));
    else add(whole);
  };
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
    setLastMarked(false);
    // The browser window has lost the focus, not the field: the person will go on typing here
    if (document.activeElement === inputRef.current) return;
    const isInside = relatedTarget instanceof Node && boxRef.current?.contains(relatedTarget);
    if (!isInside) addTyped();
  };

  return {
    isLastMarked,
    addTyped,
    remove,
    edit,
    handleText,
    handleKey,
    handleChipKey,
    handlePaste,
    handleBlur,
    focusInput,
  };
}

function runOn(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (!action) return;
  event.preventDefault();
  // Escape would close the window
  event.stopPropagation();
  action();
}

interface OnChip {
  index: number;
  focusChip: (index: number) => void;
  focusInput: () => void;
  edit: (index: number) => void;
  remove: (index: number) => void;
}

/** What the keys do on a recipient, by key. */
function chipActions({ index, focusChip, focusInput, edit, remove }: OnChip): Record<string, () => void> {
  return {
    ArrowLeft: () => focusChip(Math.max(0, index - 1)),
    ArrowRight: () => focusChip(index + 1),
    Home: () => focusChip(0),
    End: focusInput,
    Escape: focusInput,
    Enter: () => edit(index),
    F2: () => edit(index),
    Delete: () => remove(index),
    Backspace: () => remove(index),
  };
}

/** The text before a separator at the end, which ends a recipient, and the text that goes on. */
function atSeparator(value: string): [ended: string, rest: string] {
  const text = value.slice(0, -1);
  const isEnded = /[,;]$/.test(value) ? !isInQuotes(text) : /\s$/.test(value) && isWholeMailbox(text);
  return isEnded ? [text, ''] : ['', value];
}

/** The text of the field after a paste. */
function textAfterPaste({ clipboardData, currentTarget }: ClipboardEvent<HTMLInputElement>) {
  const { value, selectionStart, selectionEnd } = currentTarget;
  const pasted = clipboardData.getData('text');
  return {
    pasted,
    whole: `${value.slice(0, selectionStart ?? 0)}${pasted}${value.slice(selectionEnd ?? value.length)}`,
  };
}
