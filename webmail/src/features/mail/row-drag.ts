import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { DragEvent } from 'react';
import { dragged } from '../../lib/dragged.ts';
import { belongsTo, mayBeJunk } from './folder-rules.ts';
import type { Folder } from './folders.ts';
import { labelsOf } from './labels/row-labels.ts';
import { labelIn, ownFolderIn, placeAt } from './mail-place.ts';
import { movedTo } from './own-folders/move-calls.ts';
import { ownFolderOf } from './own-folders/moving.ts';
import { awake } from './snoozing.ts';
import type { StatusPatch } from './use-change-status.ts';

const patches: StatusPatch[] = [
  awake,
  { archive_status: false },
  { archive_status: true },
  { trash_status: false },
  { trash_status: true },
  { junk_status: false },
  { junk_status: true },
  { star_status: true },
];

/**
 * The one flag that brings all rows into a folder; null if none does, or if all are there already.
 */
export function patchTo(folder: Folder, rows: readonly EmailRowDto[]): StatusPatch | null {
  if (rows.every((row) => belongsTo(folder, row))) return null;
  if (folder === 'junk' && !rows.every(mayBeJunk)) return null;
  const leads = (patch: StatusPatch): boolean => rows.every((row) => belongsTo(folder, { ...row, ...patch }));
  const leaving = movedTo(null);
  const isOut = folder === 'inbox' && rows.some((row) => row.own_folder) && leads(leaving);
  return isOut ? leaving : (patches.find(leads) ?? null);
}

/** The change that brings rows to a list of the navigation: one flag, or a label. */
function wayTo(path: string, rows: readonly EmailRowDto[]): { patch: StatusPatch } | { label: string } | null {
  const place = placeAt(path);
  if (place === null) return null;
  const label = labelIn(place);
  if (label !== null) return mayBeLabelled(label, rows) ? { label } : null;
  const own = ownFolderIn(place);
  if (own !== null) return rows.every((row) => ownFolderOf(row) === own) ? null : { patch: movedTo(own) };
  const patch = patchTo(place as Folder, rows);
  return patch && { patch };
}

/** Lists of labels show no message that is in the trash or in Junk. */
function mayBeLabelled(label: string, rows: readonly EmailRowDto[]): boolean {
  return (
    rows.every((row) => !row.trash_status && !row.junk_status) && rows.some((row) => !labelsOf(row).includes(label))
  );
}

interface Dragging {
  rows: readonly EmailRowDto[];
  /** The text beside the pointer. */
  label: string;
  className: string;
  onDrop: (patch: StatusPatch) => void;
  onLabel: (labelId: string) => void;
  /** All of the folder is dragged, of which `rows` are one page. */
  isWhole: boolean;
}

/** Begins to drag rows. The folders and labels that can take them are highlighted. */
export function startDrag(event: DragEvent<HTMLElement>, dragging: Dragging): void {
  const { rows, label, className, onDrop, onLabel, isWhole } = dragging;
  const { dataTransfer, currentTarget } = event;
  dataTransfer.effectAllowed = 'copyMove';
  const image = document.createElement('div');
  image.className = className;
  image.textContent = label;
  currentTarget.append(image);
  dataTransfer.setDragImage(image, -12, -8);
  // By then the browser has taken its picture of the element
  setTimeout(() => image.remove());
  // If the row leaves the list during the drag, it gets no `dragend`. The first pointer move after
  // the drag ends it then
  document.addEventListener('pointermove', endDrag, { once: true });
  const openWay = (path: string): ReturnType<typeof wayTo> => {
    const way = wayTo(path, rows);
    // Snoozing a whole folder by dragging is not offered, only waking it
    return isWhole && way !== null && 'patch' in way && way.patch === awake ? null : way;
  };
  dragged.set({
    fits: (path) => openWay(path) !== null,
    drop: (path) => {
      const way = openWay(path);
      if (way === null) return;
      if ('label' in way) onLabel(way.label);
      else onDrop(way.patch);
    },
  });
}

export function endDrag(): void {
  dragged.set(null);
}
