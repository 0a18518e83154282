import { z } from 'zod';
import { currentUserDto, permissionEntry, sessionDto } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emailAddress, flag, id, newPassword, recoveryFields, startVersion } from './fields.ts';
import { forwardingFields } from './forwarding.ts';
import { isId } from './is-id.ts';
import { asList } from './list.ts';
import { byteLimit, usedOfLimit } from './plan.ts';
import { profileForm } from './profile.ts';
import { abilities, optionalPhone, requiredEmail, requiredLine, stateFields, stateFilters } from './records.ts';

/** A person as the console shows them. Times are ISO 8601, UTC. */
export const userDto = z.object({
  _id: z.string(),
  fname: z.string(),
  lname: z.string(),
  /** Lower-case address of the mailbox. */
  email: z.string(),
  avatar: z.string().nullable(),
  /** `_id` names the role's record, `role_id` is its number within the company. */
  role_id: z.object({ _id: z.string(), role_id: z.number().int(), role_name: z.string() }),
  company_id: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  domain_id: z.string().nullable(),
  phone_number: z.string().nullable(),
  designation: z.string().nullable(),
  country: z.string().nullable(),
  bio: z.string().nullable(),
  ...recoveryFields,
  /** The recovery address once more, where the specification of a user has it. */
  recovery: z.object({ recovery_email: recoveryFields.recovery_email }),
  ...forwardingFields,
  /** False while an administrator bars the person from logging in. */
  loginAllowed: z.boolean(),
  twoFactorStatus: z.boolean(),
  /** Bytes in the mailbox, and the limit that holds for it. */
  storage: usedOfLimit,
  /** The person's own limit in bytes; null for the default of the company or the host. */
  storage_limit: z.number().int().nullable(),
  ...stateFields,
  /** Raised by each change; the form sends it back. */
  version: z.number().int(),
  abilities: abilities.extend({ give_backup: z.boolean() }),
});
export type UserDto = z.infer<typeof userDto>;

/** A row of the matrix as it applies to a person, and where it comes from (D4). */
export const sourcedPermission = permissionEntry.extend({ source: z.enum(['role', 'own']) });
export type SourcedPermission = z.infer<typeof sourcedPermission>;

/** The other person of a backup, and when it was given. */
const backupOfUser = z.object({ _id: z.string(), backup_email: z.string(), backup_createdAt: z.string() });

/** A person with their effective permissions, by model. */
export const userDetailDto = userDto.extend({
  permissions: z.array(sourcedPermission),
  /** The backups of other people's mail that this person reads (D24), the latest 100. */
  backup_emails: z.array(backupOfUser),
  /** The people who have a copy of this person's mail. */
  backup_readers: z.array(backupOfUser),
});
export type UserDetailDto = z.infer<typeof userDetailDto>;

const lettersOnly = (what: string) => [/^[\p{L}\p{M} ]*$/u, `${what} should only contain letters and spaces`] as const;

/** The name of a mailbox: the part of its address before the @. */
export const username = z
  .string({ error: 'Username is required' })
  .trim()
  .toLowerCase()
  .min(1, 'Username is required')
  .max(64, 'Username must be 64 characters or less')
  .regex(/^[a-z0-9._-]*$/, 'Username may only contain letters, digits, dots, underscores and hyphens')
  .refine((name) => /^[a-z0-9].*[a-z0-9]$|^[a-z0-9]?$/.test(name), 'Username must begin and end with a letter or digit')
  .refine((name) => !name.includes('..'), 'Username must not contain two dots in a row');

/** An address of a person, an alias or a group of the host. */
export const mailboxAddress = emailAddress.toLowerCase().superRefine((email, context) => {
  const problem = username.safeParse(email.slice(0, email.lastIndexOf('@'))).error?.issues[0]?.message;
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** What the form of a new person sends. */
export const newUserForm = z.object({
  fname: requiredLine('First name is required', 100).regex(...lettersOnly('First name')),
  lname: z
    .string()
    .trim()
    .max(100, 'Maximum 100 characters allowed')
    .regex(...lettersOnly('Last name'))
    .optional(),
  /** The company's id; the caller's own company unless given. */
  companyId: z.string().refine(isId, 'Company is required').optional(),
  /** The id of the role's record. */
  role_id: z.string({ error: 'Role is required' }).refine(isId, 'Role is required'),
  domain_id: z.string({ error: 'Domain is required' }).refine(isId, 'Domain is required'),
  /** The whole address, in the domain of `domain_id`. */
  email: mailboxAddress,
  phone_number: optionalPhone,
  recovery_email: z.union([z.literal(''), emailAddress]).optional(),
  password: newPassword,
});

const byteText = z
  .string()
  .regex(/^\d{0,16}$/, 'Must be a whole number of bytes')
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(byteLimit);

/** Multipart fields are text. */
const switched = z.union([z.boolean(), flag]);

/** What a form changes of another person. Fields that are left out stay as they are. */
export const userForm = profileForm.extend({
  recovery_email: z.union([z.literal(''), requiredEmail('Invalid email')]).optional(),
  /** The present domain of the address; another one is refused. */
  domain_id: z.string().max(32).optional(),
  /** The id of the role's record. */
  role_id: z.string().refine(isId, 'Role is required').optional(),
  active_status: switched.optional(),
  loginAllowed: switched.optional(),
  /** The person's own limit in bytes; null, or empty in a multipart form, for the default. */
  storage_limit: z.union([byteText, byteLimit], { error: 'Must be a number' }).optional(),
  /** Sets another password; the person has to change it when they next log in. */
  password: newPassword.optional(),
});

const view = { model: 'user', action: 'view' } as const;
const params = z.object({ id });

export const listUsers = endpoint({
  method: 'GET',
  path: '/user/get/all',
  summary: 'The people, the newest first unless told; searched by first name, last name and address',
  needs: view,
  ...asList({
    sort: ['fname', 'email', 'createdAt'],
    defaultSort: '-createdAt',
    filters: { ...stateFilters, company_id: id.optional(), role_id: id.optional() },
  }),
  answer: z.array(userDto),
});

/** The most people that `listUserNames` answers. */
export const maxUserNames = 1000;

export const listUserNames = endpoint({
  method: 'GET',
  path: '/user/get/all/without_filter',
  summary: `Id, name and address of the people that are not deleted, by name; the first ${maxUserNames} of them`,
  needs: view,
  answer: z.array(userDto.pick({ _id: true, fname: true, lname: true, email: true })),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/user/get/:id',
  summary: 'One person with their effective permissions, deleted or not',
  needs: view,
  params,
  answer: userDetailDto,
});

/** The roles and domains that a person of a company can be given. */
export const userChoices = z.object({
  company: z.object({ _id: z.string(), name: z.string() }),
  /** Roles that are not deleted, by number; those with `assignable` may be given by the caller. */
  roles: z.array(
    z.object({ _id: z.string(), role_id: z.number().int(), role_name: z.string(), assignable: z.boolean() }),
  ),
  /** Domains that people can have addresses in, by name: verified and not deleted. */
  domains: z.array(z.object({ _id: z.string(), domain_name: z.string(), active_status: z.boolean() })),
  /** People of the company that are not deleted, and the most that its plan allows. */
  seats: usedOfLimit,
});
export type UserChoices = z.infer<typeof userChoices>;

export const getUserChoices = endpoint({
  method: 'GET',
  path: '/user/form/choices',
  summary: "Roles and domains of a company, for the forms and filters of people; of the caller's company unless told",
  needs: view,
  query: z.object({ company_id: id.optional() }),
  answer: userChoices,
});

export const createUser = endpoint({
  method: 'POST',
  path: '/user/create',
  summary: 'Adds a person with a mailbox; they have to change the password when they first log in',
  needs: { model: 'user', action: 'create' },
  body: newUserForm,
  answer: userDetailDto,
});

export const updateUser = endpoint({
  method: 'PUT',
  path: '/user/update/:id',
  summary:
    "Changes a person; fields that are left out stay as they are. With the caller's id it changes the caller's " +
    'profile: the picture comes as the file `avatar`, an empty `avatar` field removes it, and `required_data` as ' +
    'false ends the setup of the company',
  // The caller needs no flag to end the setup, which would hold them up for ever
  needs: { model: 'user', action: 'edit', own: { model: 'profile', action: 'edit', isLeftToService: true } },
  params,
  bodyKind: 'multipart',
  fileField: 'avatar',
  body: userForm.extend({ version: startVersion }),
  /** The caller as `/user/info` answers them, or another person. */
  answer: z.union([currentUserDto, userDetailDto]),
});

const edit = { model: 'user', action: 'edit' } as const;

export const listUserSessions = endpoint({
  method: 'GET',
  path: '/user/sessions/:id',
  summary: 'The open sessions of a person, the last used one first',
  needs: view,
  params,
  answer: z.array(sessionDto),
});

export const endUserSessions = endpoint({
  method: 'POST',
  path: '/user/sessions/end/:id',
  summary: 'Ends all sessions of another person; they are told by mail',
  needs: edit,
  params,
  answer: z.undefined(),
});

export const requireNewPassword = endpoint({
  method: 'POST',
  path: '/user/require_password/:id',
  summary: 'Another person has to change their password before anything else; they are told by mail',
  needs: edit,
  params,
  answer: z.undefined(),
});

export const turnOffUserTwoFactor = endpoint({
  method: 'POST',
  path: '/user/two_factor/off/:id',
  summary: 'Turns off the second factor that another person has lost, and ends their sessions; they are told by mail',
  needs: edit,
  params,
  answer: z.undefined(),
});

export const removeUser = endpoint({
  method: 'DELETE',
  path: '/user/delete/:id',
  summary: 'Deletes a person until they are restored: they are logged out, mail for them is refused',
  needs: { model: 'user', action: 'delete' },
  params,
  answer: userDetailDto,
});

export const restoreUser = endpoint({
  method: 'PATCH',
  path: '/user/restore/:id',
  summary: 'Brings a deleted person back as they were',
  needs: { model: 'user', action: 'edit' },
  params,
  answer: userDetailDto,
});

export const eraseUser = endpoint({
  method: 'DELETE',
  path: '/user/permanently/delete/:id',
  summary: 'Deletes a deleted person for good, with the mail that no other person has',
  needs: { model: 'user', action: 'delete' },
  params,
  answer: z.undefined(),
});
