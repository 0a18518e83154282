import { z } from 'zod';
import { currentUserDto } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { id, startVersion } from './fields.ts';
import { optionalLine, optionalPhone, requiredLine } from './records.ts';

/** An avatar's largest size, bytes. */
export const maxAvatarBytes = 1_048_576;

/** A flag that a person can only clear; a multipart form sends it as text. */
const takenBack = z.union([z.literal(false), z.literal('false').transform(() => false as const)], {
  error: 'Can only be set to false',
});

/** What the profile's form sends. */
export const profileForm = z.object({
  fname: requiredLine('First name is required', 100).optional(),
  lname: optionalLine(100),
  email: z.string().trim().max(254).optional(),
  phone_number: optionalPhone,
  country: optionalLine(100),
  designation: optionalLine(100),
  /** The only field of several lines. Browsers send line ends in forms as CRLF. */
  bio: z
    .string()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .trim()
    .max(1000, 'Maximum 1000 characters allowed')
    .optional(),
  avatar: z.literal('').optional(),
  /** Ends the setup of the company for the caller, who is no longer led there (D56). */
  required_data: takenBack.optional(),
});

/**
 * `updateUser` with the caller's own id, in the words of the profile. The API has one call for
 * both, so this one is not in the registry.
 */
export const updateProfile = endpoint({
  method: 'PUT',
  path: '/user/update/:id',
  summary: "Changes the caller's profile; the picture comes as the file `avatar`, an empty `avatar` field removes it",
  needs: { model: 'profile', action: 'edit' },
  params: z.object({ id }),
  bodyKind: 'multipart',
  fileField: 'avatar',
  body: profileForm.extend({ version: startVersion }),
  answer: currentUserDto,
});
