import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { encodedPassword, id } from './fields.ts';

/*
 * An archive holds everything of a company in one file (D66). Beside the flag that a call names,
 * the caller needs the right to edit the company: a person who may read one backup must not get all
 * mail.
 */

/** The most archives of a company that are kept at once. */
export const mostArchives = 3;

/**
 * `making`: a worker writes it. `checking`: all is written, and is read again. `failed`: there is
 * no file; `problem` says why.
 */
export const archiveStates = ['making', 'checking', 'ready', 'failed'] as const;

/** An archive of a company. Times are ISO 8601, UTC. */
export const archiveDto = z.object({
  _id: z.string(),
  file_name: z.string(),
  state: z.enum(archiveStates),
  /** `no_room`: it would have filled the disk of the host. */
  problem: z.enum(['no_room', 'damaged', 'failed']).nullable(),
  /** Messages that are written, of `total`, the number when the archive was begun. */
  done: z.number().int(),
  total: z.number().int(),
  /** Messages whose bytes this host has lost. The archive is without them. */
  lost: z.number().int(),
  people: z.number().int(),
  /** Bytes of the file. */
  size: z.number().int(),
  /** SHA-256 of the file; null until it is ready. */
  sha256: z.string().nullable(),
  asked_by: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
  /** When the file is removed; null until it is ready. */
  expiresAt: z.string().nullable(),
});
export type ArchiveDto = z.infer<typeof archiveDto>;

const params = z.object({ id });

export const listArchives = endpoint({
  method: 'GET',
  path: '/company/archives/:id',
  summary: 'The archives of a company that are there or are being made, the latest first',
  needs: { model: 'backup', action: 'view' },
  params,
  answer: z.array(archiveDto),
});

export const makeArchive = endpoint({
  method: 'POST',
  path: '/company/archives/:id',
  summary: 'Has everything of a company written into one file; a worker does it',
  needs: { model: 'backup', action: 'create' },
  params,
  answer: archiveDto,
});

/** How long a link to an archive can be used. A download that has begun goes on. */
export const archiveLinkSeconds = 600;

export const linkArchive = endpoint({
  method: 'POST',
  path: '/company/archives/:id/link',
  summary: "A path that downloads an archive for ten minutes, for a person who gives their account's password again",
  needs: { model: 'backup', action: 'create' },
  params,
  body: z.object({ archive_id: id, password: encodedPassword }),
  answer: z.object({ path: z.string(), expiresAt: z.string() }),
});

export const removeArchive = endpoint({
  method: 'DELETE',
  path: '/company/archives/:id',
  summary: 'Deletes an archive, or stops the making of one',
  needs: { model: 'backup', action: 'delete' },
  params,
  body: z.object({ archive_id: id }),
  answer: z.undefined(),
});
