import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import { fromHere, originOf } from '../../../lib/origin.ts';
import { rememberSearch } from './recent-searches.ts';
import { SEARCH_PATH } from './search-path.ts';
import { type Suggestion, suggestionsFor } from './suggestions.ts';
import { usePeopleMeant } from './use-people-meant.ts';

/** What a search box needs: its text, the lines below it and what keys do. */
export interface SearchBoxState {
  text: string;
  inputRef: RefObject<HTMLInputElement | null>;
  isOpen: boolean;
  lines: Suggestion[];
  /** The line that the arrow keys are on; -1 for none. */
  active: number;
  type: (text: string) => void;
  open: () => void;
  close: () => void;
  pick: (line: Suggestion) => void;
  clear: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Keeps the text of a search box. On the page of results it begins with the search of the address.
 */
export function useSearchBox(): SearchBoxState {
  const navigate = useNavigate();
  const { location, isResults, asked } = useAsked();
  const { text, setText, setSearched } = useText(asked);
  const [isOpen, setOpen] = useState(false);
  /**
   * The text of the line that the arrow keys are on. It is no index, because people are added to
   * the list a moment later.
   */
  const [activeText, setActiveText] = useState<string | null>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const all = suggestionsFor(text, usePeopleMeant(text, isOpen));
  const lines = isOpen ? all : [];
  const active = lines.findIndex((line) => line.text === activeText);

  const close = (): void => {
    setOpen(false);
    setActiveText(null);
  };
  const search = (value: string): void => {
    const words = value.trim();
    close();
    setText(words);
    if (words === '') return;
    setSearched(words);
    rememberSearch(words);
    // Back from the results leads to the page where the search began
    const from = isResults ? originOf(location) : fromHere(location).from;
    void navigate(`${SEARCH_PATH}?${new URLSearchParams({ q: words }).toString()}`, { state: from ? { from } : null });
  };
  const pick = (line: Suggestion): void => {
    if (!line.isBeginning) {
      inputRef.current?.blur();
      search(line.text);
      return;
    }
    setText(line.text);
    setActiveText(null);
    inputRef.current?.focus();
  };
  const clear = (): void => {
    setText('');
    close();
    if (isResults) void navigate(originOf(location) ?? '/dashboard/inbox');
    else inputRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (isOfInputMethod(event.nativeEvent)) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = key === 'ArrowDown' ? 1 : -1;
      const next = active < 0 && step < 0 ? all.length - 1 : (active + step + all.length) % all.length;
      setActiveText(all[next]?.text ?? null);
    } else if (key === 'Enter') {
      const line = lines[active];
      if (line) pick(line);
      else {
        inputRef.current?.blur();
        search(text);
      }
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  };
  return {
    text,
    inputRef,
    isOpen: isOpen && lines.length > 0,
    lines,
    active,
    type: (value) => {
      setText(value);
      setOpen(true);
      setActiveText(null);
    },
    open: () => setOpen(true),
    close,
    pick,
    clear,
    onKeyDown,
  };
}

/** Where the person is, and what is searched for there. */
function useAsked() {
  const location = useLocation();
  const [parameters] = useSearchParams();
  const isResults = location.pathname === SEARCH_PATH;
  return { location, isResults, asked: isResults ? (parameters.get('q') ?? '') : '' };
}

/**
 * The text of the box. Another address replaces it, such as after the Back button. The address that
 * the box itself has navigated to does not: if the page changes late, it would overwrite what was
 * typed since.
 */
function useText(asked: string) {
  const [text, setText] = useState(asked);
  const [shown, setShown] = useState(asked);
  const [searched, setSearched] = useState<string | null>(null);
  if (asked !== shown) {
    setShown(asked);
    setSearched(null);
    if (asked !== searched) setText(asked);
  }
  return { text, setText, setSearched };
}
