import { useMemo } from 'react';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { belongsTo, isInOwn } from './folder-rules.ts';
import { folderNames, modelOf } from './folders.ts';

type Flags = Parameters<typeof belongsTo>[1];

/**
 * Says whether the person may change a message: the permission of one of the folders that list it
 * allows it (D33).
 */
export function useMayChange(): (row: Flags) => boolean {
  const person = useCurrentUser();
  return useMemo(() => {
    const folders = folderNames.filter((folder) => can(person, { model: modelOf(folder), action: 'edit' }));
    // The person's own folders follow the permissions of the inbox (D63)
    const mayInOwn = can(person, { model: 'inbox', action: 'edit' });
    return (row) =>
      folders.some((folder) => belongsTo(folder, row)) ||
      (mayInOwn && !!row.own_folder && isInOwn(row.own_folder, row));
  }, [person]);
}
