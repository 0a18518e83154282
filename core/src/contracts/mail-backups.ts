import { z } from 'zod';
import { emailDto, emailRowDto } from './email.ts';
import { endpoint } from './endpoint.ts';
import { addressField, flag, id } from './fields.ts';
import { asList } from './list.ts';

/*
 * A backup is a copy of a person's mail that another person reads (D24, D54). It is named by the
 * address of the person whose mail it is, as the calls of the console do; `backup_id` tells two
 * people apart that had the same address one after the other.
 */

/** The address that a form of backups takes; the words are the console's. */
const backupAddress = addressField({
  required: 'Email is required.',
  invalid: 'Please enter a valid email address.',
}).toLowerCase();

/** `copying`: a worker adds messages to it; what it has already can be read. */
export const backupStates = ['copying', 'ready'] as const;

const progress = {
  state: z.enum(backupStates),
  /** Messages that were looked at, of `total`: what the mailbox had when the copying began. */
  copied: z.number().int(),
  total: z.number().int(),
};

/** A backup as its reader sees it. Times are ISO 8601, UTC. */
export const backupDto = z.object({
  _id: z.string(),
  /** Address of the person whose mail it is; that person may be deleted. */
  backup_email: z.string(),
  name: z.string(),
  backup_createdAt: z.string(),
  /** When new messages were last added; null until the first copying is done. */
  updatedAt: z.string().nullable(),
  received: z.number().int(),
  sent: z.number().int(),
  deletedAt: z.string().nullable(),
  ...progress,
});
export type BackupDto = z.infer<typeof backupDto>;

/** A message of a backup in its list. `body` is a short plain-text preview. */
export const backupEmailRowDto = emailRowDto.omit({ thread: true, delivery_state: true }).extend({
  /** When it came into the mailbox. */
  updatedAt: z.string(),
});
export type BackupEmailRowDto = z.infer<typeof backupEmailRowDto>;

/** The progress of a backup. */
export const backupProgressDto = z.object({
  _id: z.string(),
  /** Addresses of the person whose mail it is, and of the person who reads it. */
  backup_email: z.string(),
  backup_user_email: z.string(),
  /** False while the reader lacks the permission to open backups. */
  can_be_opened: z.boolean(),
  ...progress,
});
export type BackupProgressDto = z.infer<typeof backupProgressDto>;

/**
 * While a backup of this person for this reader is being made, the call answers its progress. A
 * later call adds new messages to it.
 */
export const giveBackup = endpoint({
  method: 'PUT',
  path: '/mail/backup',
  summary: "Gives a copy of a person's mail to another person of the company, or of the provider (D24)",
  needs: { model: 'user', action: 'create' },
  body: z.object({
    user_id: id,
    /** The mailbox or an alias of the person who is to read it. */
    backup_user_email: backupAddress,
  }),
  answer: backupProgressDto,
});

export const getBackupProgress = endpoint({
  method: 'GET',
  path: '/mail/backup/:id',
  summary: 'How far a backup is, which a worker makes',
  needs: { model: 'user', action: 'create' },
  params: z.object({ id }),
  answer: backupProgressDto,
});

const view = { model: 'backup', action: 'view' } as const;

/** `received` and `send`, also as the filters of the folders name them. */
const backupParts = ['received', 'send', 'received_status=true', 'send_status=true'] as const;

/** Without `user_email` it answers the backups, with it the messages of one. */
export const listBackups = endpoint({
  method: 'GET',
  path: '/mail/get/backup',
  summary:
    'The backups that the logged-in person reads; with `user_email`, the received or sent messages of one, newest first',
  needs: view,
  ...asList({
    sort: ['backup_email', 'backup_createdAt'],
    defaultSort: '-backup_createdAt',
    filters: {
      user_email: backupAddress.optional(),
      backup_id: id.optional(),
      /** The received messages unless given. */
      status: z.enum(backupParts, { error: 'Ask for received or send' }).optional(),
      received_status: flag.optional(),
      send_status: flag.optional(),
    },
  }),
  answer: z.union([z.array(backupDto), z.array(backupEmailRowDto)]),
});

/** The same call, as the list of backups makes it. */
export const backupList = { ...listBackups, answer: z.array(backupDto) };

/** The same call, as the screen of one backup makes it. */
export const backupMailbox = { ...listBackups, answer: z.array(backupEmailRowDto) };

/** A message of a backup, and the backup that it is in. */
export const backupEmailDto = emailDto.extend({
  backup_id: z.string(),
  backup_email: z.string(),
  updatedAt: z.string(),
});
export type BackupEmailDto = z.infer<typeof backupEmailDto>;

export const getBackupEmail = endpoint({
  method: 'GET',
  path: '/mail/get/backup/:id',
  summary: 'One message of a backup with its attachments, to be read alone',
  needs: view,
  params: z.object({ id }),
  answer: backupEmailDto,
});

export const removeBackup = endpoint({
  method: 'DELETE',
  path: '/mail/delete/backup',
  summary: 'Deletes a backup that the logged-in person reads, with the mail that no other person has',
  needs: { model: 'backup', action: 'delete' },
  body: z.object({ backup_email: backupAddress, backup_id: id.optional() }),
  answer: z.undefined(),
});

/** A person who was given a copy of the caller's mail (D32). Times are ISO 8601, UTC. */
export const backupReaderDto = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Display name of the person who gave it. */
  given_by: z.string(),
  createdAt: z.string(),
  /** When it was last opened, to the day; null when it never was. */
  openedAt: z.string().nullable(),
  /** When it was deleted; null while it can be read. */
  deletedAt: z.string().nullable(),
});
export type BackupReaderDto = z.infer<typeof backupReaderDto>;

/** The most people that `listBackupReaders` answers. */
export const maxBackupReaders = 100;

export const listBackupReaders = endpoint({
  method: 'GET',
  path: '/mail/backup_readers',
  summary: `Who was given a copy of the mail of the logged-in person, and when; the latest ${maxBackupReaders} (D32)`,
  needs: 'self',
  answer: z.array(backupReaderDto),
});
