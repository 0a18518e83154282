import { useStore } from '@nanostores/react';
import { type DragEvent, useState } from 'react';
import { dragged } from '../lib/dragged.ts';

/** What makes a page of the navigation a place to drop what is being dragged, where it fits. */
export function useDropTarget(path: string) {
  const what = useStore(dragged);
  const [isOver, setOver] = useState(false);
  const fits = what?.fits(path) === true;
  if (!fits) return { fits, isOver: false, handlers: {} };
  const handlers = {
    onDragEnter: () => setOver(true),
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) => {
      // also told when the pointer goes to a part of it
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      what.drop(path);
      dragged.set(null);
    },
  };
  return { fits, isOver, handlers };
}
