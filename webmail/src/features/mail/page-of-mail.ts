import { listEmails } from '@selvage/core/contracts/mail';
import { listQuery } from '../../hooks/use-list-query.ts';
import type { ListOptions } from '../../hooks/use-list-state.ts';
import { readPageSize } from '../../lib/page-sizes.ts';
import { filterOf } from './folder-rules.ts';
import type { Folder } from './folders.ts';
import { labelIn, type MailPlace, ownFolderIn } from './mail-place.ts';
import { mailKeys } from './keys.ts';

const pageSizes = [5, 10, 25, 50] as const;
const rowPixels = { comfortable: 40, compact: 32, relaxed: 64 };
const AROUND_PX = 200;

/** The smallest page size that fills the screen with mail. */
function fittingSize(): number {
  const density = document.documentElement.dataset['density'] as keyof typeof rowPixels | undefined;
  const rows = (window.innerHeight - AROUND_PX) / rowPixels[density ?? 'comfortable'];
  return pageSizes.find((size) => size >= 10 && size >= rows) ?? 50;
}

/** What all lists of mail have in common: they share the page size that the person has chosen. */
export function mailListOptions(): ListOptions {
  return { name: 'mail', sizes: pageSizes, defaultSize: fittingSize() };
}

/** The page that an address asks for, as the list reads it. */
export function askedPage(search: URLSearchParams): { page: number; limit: number } {
  const limit = Number(search.get('limit')) || readPageSize('mail', pageSizes) || fittingSize();
  return { page: Number(search.get('page')) || 1, limit };
}

type Query = Record<string, string | number>;

/** Starred and labels show messages of several folders, so they are not grouped. */
export function mayBeGrouped(place: MailPlace): boolean {
  return place !== 'starred' && labelIn(place) === null;
}

/** The parameters of the request for a page of a folder or a label. */
export function folderFilter(folder: MailPlace, query: Query, isGrouped: boolean): Query {
  const label = labelIn(folder);
  if (label !== null) return { ...query, label };
  const grouped: Query = isGrouped && mayBeGrouped(folder) ? { grouped: 'true' } : {};
  const own = ownFolderIn(folder);
  return { ...query, ...grouped, ...(own === null ? { [filterOf[folder as Folder]]: 'true' } : { own_folder: own }) };
}

/** One page of a folder or a label, as its list asks for it. */
export function folderQuery(folder: MailPlace, query: Query, isGrouped: boolean) {
  return listQuery(listEmails, mailKeys.folder(folder), folderFilter(folder, query, isGrouped));
}
