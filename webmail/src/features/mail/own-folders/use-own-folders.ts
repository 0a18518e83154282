import type { OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { useQuery } from '@tanstack/react-query';
import { totalsQuery } from '../queries.ts';

const none: OwnFolderDto[] = [];

/** The folders that the person made, by name; they come with the totals of the others. */
export function useOwnFolders(): OwnFolderDto[] {
  return useQuery(totalsQuery).data?.own_folders ?? none;
}
