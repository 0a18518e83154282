import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { updateProfile } from '@selvage/core/contracts/profile';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { currentUserKey } from '../../lib/query-client.ts';

/** What becomes of the picture: a new one, none, or as it is. */
export type PictureChange = { kind: 'new'; file: File } | { kind: 'none' } | null;

export interface ProfileValues {
  fname: string;
  lname: string;
  phone_number: string;
  country: string;
  designation: string;
  bio: string;
}

export function valuesOf(user: CurrentUserDto): ProfileValues {
  return {
    fname: user.fname,
    lname: user.lname,
    phone_number: user.phone_number ?? '',
    country: user.country ?? '',
    designation: user.designation ?? '',
    bio: user.bio ?? '',
  };
}

interface Change {
  user: CurrentUserDto;
  values: ProfileValues;
  picture: PictureChange;
}

/** Saves the profile; every screen that shows the person sees it at once. */
export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ user, values, picture }: Change) =>
      api(updateProfile, {
        params: { id: user._id },
        body: { ...values, email: user.email, ...(picture?.kind === 'none' ? { avatar: '' as const } : {}) },
        files: picture?.kind === 'new' ? [picture.file] : [],
      }),
    onSuccess: (user) => client.setQueryData(currentUserKey, user),
  });
}

/** Words for a save that failed and names no field. */
export function failureOf(error: unknown): string | null {
  if (!error) return null;
  if (!(error instanceof ApiError)) return 'Submission failed. Try again.';
  return Object.keys(error.fields).length > 0 ? null : error.message || 'Failed to update user.';
}
