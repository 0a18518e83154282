import type { QueryClient } from '@tanstack/react-query';
import type { PictureChange, ProfileValues } from './queries.ts';

/** What was changed in the profile but is not saved. */
interface ProfileDraft {
  values: ProfileValues;
  picture: PictureChange;
}

const key = ['profile-draft'];

/** It outlives the screen, so that looking at a mail in between loses nothing; with the session it goes, as all of a person's data. */
export function keepDraft(client: QueryClient, draft: ProfileDraft): void {
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(key, draft);
}

export function readDraft(client: QueryClient): ProfileDraft | undefined {
  return client.getQueryData(key);
}

export function dropDraft(client: QueryClient): void {
  client.removeQueries({ queryKey: key });
}
