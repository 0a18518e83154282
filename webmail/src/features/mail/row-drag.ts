import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { DragEvent } from 'react';
import { dragged } from '../../lib/dragged.ts';
import { belongsTo, mayBeJunk } from './folder-rules.ts';
import { type Folder, isFolder } from './folders.ts';
import type { StatusPatch } from './use-change-status.ts';

const patches: StatusPatch[] = [
  { archive_status: false },
  { archive_status: true },
  { trash_status: false },
  { trash_status: true },
  { junk_status: false },
  { junk_status: true },
  { star_status: true },
];

/** The one flag that brings all rows into a folder; null where none does, or all are there. */
export function patchTo(folder: Folder, rows: readonly EmailRowDto[]): StatusPatch | null {
  if (rows.every((row) => belongsTo(folder, row))) return null;
  if (folder === 'junk' && !rows.every(mayBeJunk)) return null;
  return patches.find((patch) => rows.every((row) => belongsTo(folder, { ...row, ...patch }))) ?? null;
}

function patchToPath(path: string, rows: readonly EmailRowDto[]): StatusPatch | null {
  const name = path.split('/')[2];
  return isFolder(name) ? patchTo(name, rows) : null;
}

interface Dragging {
  rows: readonly EmailRowDto[];
  /** Says what is dragged, beside the pointer. */
  label: string;
  className: string;
  onDrop: (patch: StatusPatch) => void;
}

/** Begins to drag rows: the folders of the navigation to which they can go offer themselves. */
export function startDrag(event: DragEvent<HTMLElement>, { rows, label, className, onDrop }: Dragging): void {
  const { dataTransfer, currentTarget } = event;
  dataTransfer.effectAllowed = 'copyMove';
  const image = document.createElement('div');
  image.className = className;
  image.textContent = label;
  currentTarget.append(image);
  dataTransfer.setDragImage(image, -12, -8);
  // the browser has made its picture of it by then
  setTimeout(() => image.remove());
  // a row that leaves the list meanwhile hears of no end; the pointer is told of again behind it
  document.addEventListener('pointermove', endDrag, { once: true });
  dragged.set({
    fits: (path) => patchToPath(path, rows) !== null,
    drop: (path) => {
      const patch = patchToPath(path, rows);
      if (patch) onDrop(patch);
    },
  });
}

export function endDrag(): void {
  dragged.set(null);
}
