import { folderNameKey, type OwnFolderDto } from '@selvage/core/contracts/own-folders';

/** Where messages can go. */
export interface MoveTarget {
  /**
   * Null for the inbox, or for the place of messages that are in none of the person's own folders.
   */
  folderId: string | null;
  name: string;
}

interface Choice {
  /** In their order, without the place where the messages are already. */
  targets: readonly MoveTarget[];
  folders: readonly OwnFolderDto[];
  text: string;
}

/** The targets that are shown, in their order. Enter takes the first. */
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
 * The target of Enter; null while nothing is typed, or when the typed name is that of the folder
 * the messages are in.
 */
export function targetOfEnter({ targets, folders, text }: Choice): MoveTarget | null {
  const wanted = folderNameKey(text.trim());
  if (wanted === '') return null;
  const [first] = shownTargets({ targets, text });
  if (first === undefined) return null;
  const isHere = isFolderName(folders, text) && folderNameKey(first.name) !== wanted;
  return isHere ? null : first;
}
