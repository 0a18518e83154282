import { useStore } from '@nanostores/react';
import { type DragEvent, useState } from 'react';
import { dragged } from '../lib/dragged.ts';

/**
 * What makes a page of the navigation a place to drop what is being dragged, where it fits. The
 * handlers ask what is dragged now: the pointer can be here before the page is drawn again.
 */
export function useDropTarget(path: string) {
  const fits = useStore(dragged)?.fits(path) === true;
  const [isOver, setOver] = useState(false);
  const fitting = () => (dragged.get()?.fits(path) ? dragged.get() : null);
  const handlers = {
    onDragEnter: () => setOver(fitting() !== null),
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) => {
      // also told when the pointer goes to a part of it
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
