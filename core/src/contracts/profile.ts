import { z } from 'zod';
import { currentUserDto } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { id, startVersion } from './fields.ts';

/** An avatar's largest size, bytes. */
export const maxAvatarBytes = 1_048_576;

const optionalLine = (length: number) =>
  z.string().trim().max(length, `Maximum ${length} characters allowed`).optional();

/** What the profile's form sends. */
export const profileForm = z.object({
  fname: z
    .string({ error: 'First name is required' })
    .trim()
    .min(1, 'First name is required')
    .max(100, 'Maximum 100 characters allowed')
    .optional(),
  lname: optionalLine(100),
  email: z.string().trim().max(254).optional(),
  phone_number: z
    .string()
    .trim()
    .refine((text) => text === '' || !Number.isNaN(Number(text)), 'Phone number must be a number')
    .refine((text) => text === '' || /^\d*$/.test(text), 'Phone number must be an integer')
    .refine((text) => text === '' || /^\d{10}$/.test(text), 'Phone number must be exactly 10 digits')
    .optional(),
  country: optionalLine(100),
  designation: optionalLine(100),
  bio: optionalLine(1000),
  avatar: z.literal('').optional(),
});

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/user/update/:id',
  summary: 'Changes the own profile; the picture comes as the file `avatar`, an empty `avatar` field removes it',
  needs: { model: 'profile', action: 'edit' },
  params: z.object({ id }),
  bodyKind: 'multipart',
  fileField: 'avatar',
  body: profileForm.extend({ version: startVersion }),
  answer: currentUserDto,
});
