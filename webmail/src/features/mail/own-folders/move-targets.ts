import { folderNameKey, type OwnFolderDto } from '@selvage/core/contracts/own-folders';

/** Where messages can go. */
export interface MoveTarget {
  /** Null for the inbox, or wherever messages are that are in no folder of one's own. */
  folderId: string | null;
  name: string;
}

interface Choice {
  /** In their order; where the messages are already is left out. */
  targets: readonly MoveTarget[];
  folders: readonly OwnFolderDto[];
  text: string;
}

/** The targets that are drawn, in their order: what Enter takes is the first. */
export function shownTargets({ targets, text }: Omit<Choice, 'folders'>): MoveTarget[] {
  const wanted = folderNameKey(text.trim());
  const fitting = targets.filter(({ name }) => folderNameKey(name).includes(wanted));
  const isExact = ({ name }: MoveTarget) => wanted !== '' && folderNameKey(name) === wanted;
  return [...fitting.filter(isExact), ...fitting.filter((target) => !isExact(target))];
}

/** Whether a folder has the name that was typed. */
export function isFolderName(folders: readonly OwnFolderDto[], text: string): boolean {
  const wanted = folderNameKey(text.trim());
  return folders.some(({ name }) => folderNameKey(name) === wanted);
}

/**
 * Where Enter moves messages: nowhere while nothing is typed, and nowhere when the name is that of
 * the folder they are in.
 */
export function targetOfEnter({ targets, folders, text }: Choice): MoveTarget | null {
  const wanted = folderNameKey(text.trim());
  if (wanted === '') return null;
  const [first] = shownTargets({ targets, text });
  if (first === undefined) return null;
  const isHere = isFolderName(folders, text) && folderNameKey(first.name) !== wanted;
  return isHere ? null : first;
}
