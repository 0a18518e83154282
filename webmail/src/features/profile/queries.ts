import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { updateProfile } from '@selvage/core/contracts/profile';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { takeAnswer } from '../../lib/take-answer.ts';
import type { PictureChange } from './picture.ts';

/** What the profile's form holds. */
export type ProfileValues = {
  fname: string;
  lname: string;
  phone_number: string;
  country: string;
  designation: string;
  bio: string;
  avatar: PictureChange;
};

export function valuesOf(user: CurrentUserDto): ProfileValues {
  return {
    fname: user.fname,
    lname: user.lname,
    phone_number: user.phone_number ?? '',
    country: user.country ?? '',
    designation: user.designation ?? '',
    bio: user.bio ?? '',
    avatar: null,
  };
}

/** What is checked and sent. A new picture travels beside it, as a file. */
export function bodyOf({ avatar, ...values }: ProfileValues, email: string) {
  return { ...values, email, ...(avatar?.kind === 'none' ? { avatar: '' as const } : {}) };
}

/**
 * Saves the profile, unless it is no longer the version that the form began with; every screen that
 * shows the person sees it at once.
 */
export function useSaveProfile({ _id: id, email }: CurrentUserDto) {
  const client = useQueryClient();
  return async (values: ProfileValues, version?: number): Promise<CurrentUserDto> => {
    const { avatar } = values;
    const saved = await api(updateProfile, {
      params: { id },
      body: { ...bodyOf(values, email), version },
      files: avatar?.kind === 'new' ? [avatar.file] : [],
    });
    await takeAnswer(client, currentUserKey, saved);
    return saved;
  };
}
