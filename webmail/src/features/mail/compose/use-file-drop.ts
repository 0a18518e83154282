import { type DragEvent, useState } from 'react';
import { carriesFiles, carriesOwnPicture } from '../../../lib/dragged-files.ts';

/**
 * Lets files be dropped anywhere on an element. The editor handles files that are dropped on the
 * text, and puts pictures into it.
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  const isOnText = ({ target }: DragEvent): boolean =>
    target instanceof Element && target.closest('[contenteditable]') !== null;
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const target = event.relatedTarget;
      if (!(target instanceof Node) || !event.currentTarget.contains(target)) setOver(false);
    },
    onDropCapture: (event: DragEvent) => {
      // A field would take the address of the picture, which may be all of its bytes
      if (carriesOwnPicture(event.dataTransfer) && !isOnText(event)) event.preventDefault();
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      if (isOnText(event)) return;
      event.stopPropagation();
      onFiles([...event.dataTransfer.files]);
    },
  };
  return { isOver, handlers };
}
