import { type DragEvent, useState } from 'react';

/**
 * Lets files be dropped anywhere on an element. The editor handles files that are dropped on the
 * text, and puts pictures into it.
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const target = event.relatedTarget;
      if (!(target instanceof Node) || !event.currentTarget.contains(target)) setOver(false);
    },
    onDropCapture: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (event.target instanceof Element && event.target.closest('[contenteditable]')) return;
      event.stopPropagation();
      onFiles([...event.dataTransfer.files]);
    },
  };
  return { isOver, handlers };
}
