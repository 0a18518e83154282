import type { WholeFolder } from '@selvage/core/contracts/mail-folders';
import type { OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../../lib/i18n.ts';
import { mailListWords } from '../../../words/mail-list.ts';
import { totalsQuery } from '../queries.ts';

const none: OwnFolderDto[] = [];

/** The folders that the person made, by name; they come with the totals of the others. */
export function useOwnFolders(): OwnFolderDto[] {
  return useQuery(totalsQuery).data?.own_folders ?? none;
}

/** The name of a folder that can be changed as a whole. */
export function useNameOfWhole(folder: WholeFolder): string {
  const words = useWords(mailListWords);
  const isOwn = folder.startsWith('own:');
  const { data } = useQuery({ ...totalsQuery, enabled: isOwn });
  if (!isOwn) return words[folder as Exclude<WholeFolder, `own:${string}`>];
  return data?.own_folders.find(({ _id }) => folder === `own:${_id}`)?.name ?? '';
}
