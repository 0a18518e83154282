import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { encodedPassword, startVersion } from './fields.ts';

/** The programs of a host. */
const programName = z.enum(['workers', 'inbound', 'submission', 'api']);
export type ProgramDto = z.infer<typeof programName>;

/** Where a value comes from: this list, what the process was started with, or nowhere. */
const source = z.enum(['list', 'environment', 'default', 'none']);
export type SettingSource = z.infer<typeof source>;

/** A variable of the list. */
export const variableDto = z.object({
  _id: z.string(),
  key: z.string(),
  /** Null when the value is a secret, which a call of its own reveals, or can't be read. */
  value: z.string().nullable(),
  is_secret: z.boolean(),
  /** False for a name that is no setting of this version: it is kept and does nothing. */
  has_effect: z.boolean(),
  /** What the setting means. */
  description: z.string().nullable(),
  /** The value that the answering process uses; null when it is a secret, or is not set. */
  value_in_force: z.string().nullable(),
  source,
  /** True while processes run that were started before the last change of this variable. */
  needs_restart: z.boolean(),
  /** Why the value is not used. */
  problem: z.string().nullable(),
  /** Version of the record; its form sends it back. */
  version: z.number().int(),
  updatedAt: z.string(),
  /** Name of the person who changed it last. */
  updated_by: z.string().nullable(),
});
export type VariableDto = z.infer<typeof variableDto>;

/** A setting that the list can hold with effect. */
export const settingDto = z.object({
  key: z.string(),
  description: z.string().nullable(),
  value_in_force: z.string().nullable(),
  source,
});
export type SettingDto = z.infer<typeof settingDto>;

/** The last restart of the host, and its progress. */
export const restartDto = z.object({
  state: z.enum(['none', 'running', 'done', 'failed']),
  /** How many restarts were asked for: a higher number is another restart. */
  number: z.number().int(),
  /** How many processes were to be replaced, and how many are. */
  total: z.number().int(),
  replaced: z.number().int(),
  /** The program whose processes are being replaced. */
  program: programName.nullable(),
  asked_at: z.string().nullable(),
  asked_by: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** Why it ended before all processes were replaced. */
  problem: z.string().nullable(),
  /** Programs with a single process, which is not replaced, but ends and is started again. */
  single: z.array(programName),
});
export type RestartDto = z.infer<typeof restartDto>;

const key = z
  .string({ error: 'Key is required.' })
  .trim()
  .min(1, 'Key is required.')
  .max(100, 'Maximum 100 characters allowed')
  .regex(/^[A-Z0-9_]+$/, 'Key must contain only uppercase letters, numbers, and underscores.');

/** What the form of a variable sends. */
export const variableForm = z.object({
  key,
  value: z
    .string({ error: 'Value is required.' })
    .max(8000, 'Maximum 8000 characters allowed')
    .refine((value) => value.trim() !== '', 'Value is required.')
    .refine((value) => !/\p{Cc}/u.test(value), 'Value must be one line without control characters.'),
});
export type VariableForm = z.infer<typeof variableForm>;

export const listEnvironment = endpoint({
  method: 'GET',
  path: '/env/get/all',
  summary: 'The variables that overlay the environment of the host, for Super Admins of the provider (D55)',
  needs: 'host-super-admin',
  answer: z.object({
    variables: z.array(variableDto),
    settings: z.array(settingDto),
    /** True while processes run that were started before the last change of the list. */
    needs_restart: z.boolean(),
    /** False when the host was started so that it ignores the list. */
    is_used: z.boolean(),
    restart: restartDto,
  }),
});

export const createVariable = endpoint({
  method: 'POST',
  path: '/env/create',
  summary: 'Adds a variable; it counts after a restart',
  needs: 'host-super-admin',
  body: variableForm,
  answer: variableDto,
});

export const updateVariable = endpoint({
  method: 'PUT',
  path: '/env/update',
  summary: 'Gives a variable another value; it counts after a restart',
  needs: 'host-super-admin',
  body: variableForm.extend({ version: startVersion }),
  answer: variableDto,
});

export const removeVariable = endpoint({
  method: 'DELETE',
  path: '/env/delete/:key',
  summary: 'Takes a variable out of the list; after a restart its setting is what the host was started with',
  needs: 'host-super-admin',
  params: z.object({ key: z.string().max(200) }),
  answer: z.undefined(),
});

export const revealVariable = endpoint({
  method: 'POST',
  path: '/env/reveal',
  summary: "Shows the value of a secret variable to a person who gives their own account's password again",
  needs: 'host-super-admin',
  body: z.object({ key, password: encodedPassword }),
  answer: z.object({ key: z.string(), value: z.string() }),
});

export const restartHost = endpoint({
  method: 'POST',
  path: '/env/restart/pm2',
  summary: 'Replaces all processes of the host one by one; answers the restart that runs, if one does',
  needs: 'host-super-admin',
  answer: restartDto,
});

export const getRestart = endpoint({
  method: 'GET',
  path: '/env/restart',
  summary: 'How far the last restart of the host is',
  needs: 'host-super-admin',
  answer: restartDto,
});
