import { z } from 'zod';
import { permissionEntry } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { permissionActions } from './permissions.ts';

/**
 * Why the caller may not change a matrix.
 * - `not_permitted`: the caller lacks `permission.edit`
 * - `built_in`: it is a built-in role's (D3)
 * - `own`: it is the caller's own, or that of the caller's role
 * - `outranked`: the role or the person may do more than the caller
 * - `deleted`: the role or the person is deleted
 */
export const matrixLocks = ['not_permitted', 'built_in', 'own', 'outranked', 'deleted'] as const;
export type MatrixLock = (typeof matrixLocks)[number];

const flagsOf = <T extends z.ZodType>(type: T) =>
  z.object(
    Object.fromEntries(permissionActions.map((action) => [action, type])) as Record<
      (typeof permissionActions)[number],
      T
    >,
  );

/** A row of a matrix: one for each module. */
export const matrixRow = permissionEntry.extend({
  /** Of a person: whether the row is the person's own, or their role's (D4). */
  source: z.enum(['role', 'own']),
  /** The flags that the caller may change. */
  grantable: flagsOf(z.boolean()),
});
export type MatrixRow = z.infer<typeof matrixRow>;

/** The matrix of a role or of a person. */
export const permissionMatrix = z.object({
  /** The role or the person. */
  subject: z.object({
    kind: z.enum(['role', 'user']),
    _id: z.string(),
    /** Name of the role, or of the person. */
    name: z.string(),
    company_id: z.object({ _id: z.string(), name: z.string() }),
    /** The role itself, or the role that the person has. */
    role: z.object({ _id: z.string(), role_id: z.number().int(), role_name: z.string() }),
  }),
  /** Null when the caller may change it. */
  lock: z.enum(matrixLocks).nullable(),
  /** In the order of the modules. */
  permissions: z.array(matrixRow),
});
export type PermissionMatrix = z.infer<typeof permissionMatrix>;

const oneSubject = { role_id: id.optional(), user_id: id.optional() };
const namesOne = ({ role_id, user_id }: { role_id?: string | undefined; user_id?: string | undefined }) =>
  (role_id === undefined) !== (user_id === undefined);
const notOne = 'Name a role or a user, and only one of them';

/** Flags of one model; those that are left out stay as they are. */
const flagChange = flagsOf(z.boolean().optional())
  .extend({ model: z.string().min(1, 'Model is required').max(64, 'Maximum 64 characters allowed') })
  .refine((row) => permissionActions.some((action) => row[action] !== undefined), 'Name at least one flag');

export const getPermissions = endpoint({
  method: 'GET',
  path: '/users/get/permissions',
  summary: 'The matrix of a role or of a person: what each module allows, and what the caller may change',
  needs: { model: 'permission', action: 'view' },
  query: z.object(oneSubject).refine(namesOne, notOne),
  answer: permissionMatrix,
});

export const changePermissions = endpoint({
  method: 'POST',
  path: '/users/add_or_update/permissions',
  summary: 'Changes flags of a role or of a person; a row of the person begins as the role has it',
  needs: { model: 'permission', action: 'edit' },
  body: z
    .object({
      ...oneSubject,
      permissions: z
        .array(flagChange)
        .min(1, 'Name at least one flag')
        .max(500, 'Change at most 500 models at once')
        .refine((rows) => new Set(rows.map(({ model }) => model)).size === rows.length, 'Name each model once'),
    })
    .refine(namesOne, notOne),
  answer: permissionMatrix,
});
export type FlagChange = z.infer<typeof flagChange>;

export const resetPermissions = endpoint({
  method: 'POST',
  path: '/users/reset/permissions/:id',
  summary: "Removes a person's own rows, so that the role's hold again",
  needs: { model: 'permission', action: 'edit' },
  params: z.object({ id }),
  answer: permissionMatrix,
});
