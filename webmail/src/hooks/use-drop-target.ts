import { useStore } from '@nanostores/react';
import { type DragEvent, useState } from 'react';
import { dragged } from '../lib/dragged.ts';

/**
 * Lets a page of the navigation take what is being dragged, if it fits there. The handlers read the
 * present value, since the pointer can arrive before React has rendered.
 */
export function useDropTarget(path: string) {
  const fits = useStore(dragged)?.fits(path) === true;
  const [isOver, setOver] = useState(false);
  const fitting = () => (dragged.get()?.fits(path) ? dragged.get() : null);
  const handlers = {
    onDragEnter: () => setOver(fitting() !== null),
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) => {
      // Browsers also send this event when the pointer enters a child element
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDragOver: (event: DragEvent) => {
      if (fitting() === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      const what = fitting();
      if (what === null) return;
      event.preventDefault();
      what.drop(path);
      dragged.set(null);
    },
  };
  return { fits, isOver: fits && isOver, handlers };
}
