import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { flag, id } from './fields.ts';

/** The most people of one change. */
export const maxChangedUsers = 100;

/** What became of a change of many people. */
export const manyUsersDto = z.object({
  /** Ids of the people that were changed, or that had the value already. */
  changed: z.array(z.string()),
  /** Those that stay as they are, each with a sentence that says why. */
  refused: z.array(z.object({ _id: z.string(), message: z.string() })),
});
export type ManyUsersDto = z.infer<typeof manyUsersDto>;

export const changeManyUsers = endpoint({
  method: 'PATCH',
  path: '/user/update_many',
  summary:
    'Switches people on or off, or gives them another role; each person by themselves, ' +
    'so those that cannot be changed hold up no others',
  needs: { model: 'user', action: 'edit' },
  body: z
    .object({
      ids: z
        .array(id)
        .min(1, 'Choose at least one user')
        .max(maxChangedUsers, `Choose at most ${maxChangedUsers} users`),
      active_status: z.boolean().optional(),
      /** The id of the role's record. */
      role_id: id.optional(),
    })
    .refine((body) => (body.active_status === undefined) !== (body.role_id === undefined), {
      path: ['active_status'],
      message: 'Send either active_status or role_id',
    }),
  answer: manyUsersDto,
});

/** The most people of one import. */
export const maxImportedUsers = 10_000;
/** The largest file of an import, bytes. */
export const maxImportBytes = 5_242_880;
/** The most problems that an answer lists. */
export const maxImportProblems = 500;

/** The most values that an answer lists of a file whose encoding is a guess. */
export const maxGuessed = 3;

/** The columns of an import in the order of the template; `isRequired` ones must be there. */
export const importColumns = [
  { field: 'fname', title: 'First name', isRequired: true },
  { field: 'lname', title: 'Last name', isRequired: false },
  { field: 'email', title: 'Email', isRequired: true },
  { field: 'role', title: 'Role', isRequired: false },
  { field: 'phone_number', title: 'Phone', isRequired: false },
  { field: 'designation', title: 'Designation', isRequired: false },
  { field: 'country', title: 'Country', isRequired: false },
] as const;

/** What an import found or did. */
export const importDto = z.object({
  /** People in the file. */
  people: z.number().int(),
  /** How many problems there are; the list is cut after `maxImportProblems`. */
  problemCount: z.number().int(),
  problems: z.array(
    z.object({
      /** Line of the file, the head being line 1; of a row over several lines, the last one. */
      line: z.number().int(),
      /** Title of the column; empty for a problem of the whole row. */
      column: z.string(),
      message: z.string(),
    }),
  ),
  /**
   * Some names, or other values, as they were read from a file that is neither in UTF-8 nor in
   * UTF-16. It is read as Windows-1252, and may be in another code page. Empty for other files.
   */
  guessed: z.array(z.string()),
  /**
   * How many of the people are suspended where the file comes from. They are added as inactive:
   * they cannot log in, and mail for them is deferred, until they are activated.
   */
  suspended: z.number().int(),
  /** Titles of columns that Google or Microsoft exports, and that an import has no place for. */
  left_out: z.array(z.string()),
  /**
   * The new people with the passwords that the host made for them, in the order of the file; null
   * for a trial. Only a repetition of the call under the same `import_id` gets the passwords again.
   */
  added: z
    .array(z.object({ name: z.string(), email: z.string(), active_status: z.boolean(), password: z.string() }))
    .nullable(),
});
export type ImportDto = z.infer<typeof importDto>;

/**
 * The id that the caller gives an import, to ask for its progress, and to repeat the call when the
 * answer was lost. A repetition within ten minutes adds no person twice and gets the same answer.
 */
const importId = z.uuid('Not a valid import id');

export const importUsers = endpoint({
  method: 'POST',
  path: '/user/import',
  summary:
    `Adds the people of a CSV file (at most ${maxImportedUsers}), all or none; with dry_run it only says ` +
    'what is wrong with it. They have to change their passwords when they first log in. When the answer is ' +
    'lost, the same call with the same import_id gets it again for ten minutes',
  needs: { model: 'user', action: 'create' },
  bodyKind: 'multipart',
  fileField: 'file',
  body: z.object({
    /** The company's id; the caller's own company unless given. */
    companyId: id.optional(),
    dry_run: flag.optional(),
    import_id: importId.optional(),
  }),
  answer: importDto,
});

/** The progress of an import. */
export const importProgressDto = z.object({ done: z.number().int(), people: z.number().int() });

export const getImportProgress = endpoint({
  method: 'GET',
  path: '/user/import_progress/:import_id',
  summary: "How far an import of the caller's is; 404 before it has begun to add people",
  needs: { model: 'user', action: 'create' },
  params: z.object({ import_id: importId }),
  answer: importProgressDto,
});
