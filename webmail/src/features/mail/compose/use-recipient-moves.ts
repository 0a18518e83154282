import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ListName, type Lists, listNames } from './composition.ts';
import { addRecipients, textOf } from './recipients.ts';
import type { OpenMessage } from './windows.ts';

interface Place {
  list: ListName;
  index: number;
}

/** The lists with one recipient in another of them. */
export function moveRecipient(lists: Lists, { list, index }: Place, to: ListName): Lists {
  const moved = lists[list][index];
  if (!moved || list === to) return lists;
  return { ...lists, [list]: lists[list].toSpliced(index, 1), [to]: addRecipients(lists[to], [moved]) };
}

/** The chip in which an event happened. */
function placeOf(list: ListName, { currentTarget, target }: DragEvent | KeyboardEvent): Place | null {
  const chips = [...currentTarget.querySelectorAll('[data-chip]')];
  const index = chips.findIndex((chip) => target instanceof Node && chip.parentElement?.contains(target));
  return index === -1 ? null : { list, index };
}

const step: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Moves a recipient to another field: by dragging, or with Alt and an arrow key to the field above
 * or below.
 */
export function useRecipientMoves(message: OpenMessage) {
  const dragged = useRef<Place | null>(null);
  const [isDragging, setDragging] = useState(false);

  const move = (place: Place, to: ListName): void => {
    message.write({ lists: moveRecipient(message.composition.get().lists, place, to) });
  };
  const end = (): void => {
    dragged.current = null;
    setDragging(false);
  };
  const handlersOf = (list: ListName) => ({
    onDragStart: (event: DragEvent<HTMLElement>) => {
      const place = placeOf(list, event);
      const recipient = place && message.composition.get().lists[list][place.index];
      if (!recipient) return;
      dragged.current = place;
      event.dataTransfer.setData('text/plain', textOf(recipient));
      event.dataTransfer.effectAllowed = 'copyMove';
      // Browsers end a drag if its element moves while the drag begins
      setTimeout(() => setDragging(dragged.current !== null));
    },
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (!dragged.current) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      if (!dragged.current) return;
      event.preventDefault();
      move(dragged.current, list);
      end();
    },
    onDragEnd: end,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const to = listNames[listNames.indexOf(list) + (step[event.key] ?? 0)];
      const place = event.altKey ? placeOf(list, event) : null;
      if (!place || !to || to === list) return;
      event.preventDefault();
      const rows = event.currentTarget.parentElement;
      flushSync(() => move(place, to));
      [...(rows?.querySelectorAll<HTMLElement>(`[data-list=${to}] [data-chip]`) ?? [])].at(-1)?.focus();
    },
  });
  return { isDragging, handlersOf };
}
