import { z } from 'zod';
import { recordTypes } from '../contracts/domains.ts';
import { labelColours } from '../contracts/labels.ts';
import { filterActions, filterConditions } from '../contracts/mail-rules.ts';
import { mostOwnFolders, ownFolderForm } from '../contracts/own-folders.ts';

/*
 * The files of an archive, in their order:
 *
 *   company.json
 *   people/<address>/person.json             without passwords, second factors and keys
 *   people/<address>/drafts/<id>/<n>         the files of a draft, then
 *   people/<address>/drafts/<id>.json        the draft
 *   people/<address>/mail/…/cur/<message>    a Maildir: the whole bytes of each message, then
 *   people/<address>/index/<n>.jsonl         a line for each of them with what its name can't say
 *   groups.json                              groups and catch-alls, which name people
 *   roles.json, domains.json
 *   SHA256SUMS                               a line for each file above, as sha256sum writes it
 *   manifest.json                            version, company, counts, the digest of SHA256SUMS
 *
 * A file of JSON comes after the files that it names, so that an archive is restored in one walk.
 * The roles and domains are an exception: a restore reads them first, wherever they are. They are
 * written last, so that they have what people were given while the archive was made. Archives of
 * older versions have them behind company.json.
 */

/** The file that has the digests of all before it. */
export const sumsName = 'SHA256SUMS';
export const manifestName = 'manifest.json';

const folder = '[A-Za-z0-9_+=@-][A-Za-z0-9._+=@-]{0,99}';

/** The place of a folder that a person made, as `placesOfOwn` names it. */
const ownFolder = '\\.Own\\.[^\\x00-\\x1f\\x7f-\\uffff./\\\\:*?"<>|]{1,150}';

/** Every name that a file of an archive can have. The group is the folder of its person. */
const known = new RegExp(
  `^(?:(?:company|roles|domains|groups|manifest)\\.json|SHA256SUMS|people/(${folder})/(?:person\\.json|drafts/\\d{1,20}(?:\\.json|/\\d{1,4})|index/\\d{6,9}\\.jsonl|mail/(?:\\.[A-Z][a-z]{2,12}/|${ownFolder}/)?cur/\\d{1,12}\\.M\\d{1,20}\\.selvage:2,[DFPRST]{0,6}))$`,
);

/** Says whether a file is one of those that make the company, before its people are restored. */
export function isOfCompany(name: string): boolean {
  return /^(?:company|roles|domains)\.json$/.test(name);
}

/** Says whether an archive can have a file of this name. */
export function isKnownName(name: string): boolean {
  return known.test(name);
}

/** The folder of the person that a file belongs to; null for one of the company. */
export function personOf(name: string): string | null {
  return known.exec(name)?.[1] ?? null;
}

/**
 * The most bytes that a file may have. JSON files may have less than messages and files of drafts.
 */
export function mostBytesOf(name: string): number {
  if (name === sumsName) return 2 ** 33 - 1;
  return /\.jsonl?$/.test(name) ? 67_108_864 : 402_653_184;
}

/** The name of the folder of a person: their address, unless it is unfit for a path. */
export function folderOfPerson({ id, email }: { id: string; email: string }): string {
  return new RegExp(`^${folder}$`).test(email) ? email : `person-${id}`;
}

const line = (length: number) => z.string().max(length);
const moment = z.iso.datetime();
const bytes = z.string().regex(/^\d{1,18}$/);
const address = line(254);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.number().int().min(0);

const areUnique = (values: readonly (string | number)[]) => new Set(values).size === values.length;

/** What `company.json` holds. */
export const companyFile = z.object({
  name: line(255),
  email: address,
  industry: line(100).nullable(),
  phone: line(20).nullable(),
  address: line(500).nullable(),
  city: line(100).nullable(),
  state: line(100).nullable(),
  country: line(100).nullable(),
  pin_code: line(10).nullable(),
  active: z.boolean(),
  max_users: whole.nullable(),
  max_domains: whole.nullable(),
  storage_limit: bytes.nullable(),
  mailbox_limit: bytes.nullable(),
  /** The provider's contact at the company. Archives of older versions lack it. */
  client: z
    .object({
      first_name: line(100),
      last_name: line(100).nullable(),
      phone: line(20).nullable(),
      country: line(100).nullable(),
      personal_email: address,
      business_email: address,
    })
    .nullable()
    .default(null),
});
export type CompanyFile = z.infer<typeof companyFile>;

/** Rows of the permission matrix. */
const flags = z
  .array(
    z.object({
      model: line(64),
      view: z.boolean(),
      create: z.boolean(),
      edit: z.boolean(),
      delete: z.boolean(),
    }),
  )
  .max(500)
  .refine((rows) => areUnique(rows.map(({ model }) => model)), 'two rows have one model');

/** What `roles.json` holds. */
export const rolesFile = z
  .array(
    z.object({
      number: whole.max(4_294_967_295),
      name: line(100),
      active: z.boolean(),
      two_factor_required: z.boolean(),
      two_factor_grace_days: whole.max(3650),
      deleted: z.boolean(),
      permissions: flags,
    }),
  )
  .refine((roles) => areUnique(roles.map(({ number }) => number)), 'two roles have one number');
export type RolesFile = z.infer<typeof rolesFile>;

/** What `domains.json` holds. Keys are not in it: a restored domain gets a new one. */
export const domainsFile = z
  .array(
    z.object({
      name: line(253),
      verified: z.boolean(),
      active: z.boolean(),
      expires: moment.nullable(),
      deleted: z.boolean(),
      /** The DNS records that the company has noted. Archives of older versions lack them. */
      records: z
        .array(
          z.object({
            record_name: line(100),
            type: z.enum(recordTypes),
            name: line(253),
            priority: whole.max(65_535),
            content: line(4096),
            ttl: whole.max(604_800),
          }),
        )
        .max(200)
        .default([]),
    }),
  )
  .refine((domains) => areUnique(domains.map(({ name }) => name)), 'two domains have one name');
export type DomainsFile = z.infer<typeof domainsFile>;

/** Characters of a person's choices: several times what the web app stores. */
const mostOfChoices = 20_000;

/** What `person.json` holds. A filter has the name of its label, not the id. */
export const personFile = z.object({
  email: address,
  fname: line(100),
  lname: line(100),
  phone: line(20).nullable(),
  country: line(100).nullable(),
  designation: line(100).nullable(),
  bio: line(1000).nullable(),
  /** The number of a role of `roles.json`. */
  role: whole,
  recovery_email: address.nullable(),
  forward_to: address.nullable(),
  active: z.boolean(),
  login_allowed: z.boolean(),
  deleted: z.boolean(),
  storage_limit: bytes.nullable(),
  undo_ms: whole.nullable(),
  /** How the person likes the web app to be. Archives of older versions lack it. */
  choices: z
    .record(z.string(), z.unknown())
    .refine((choices) => JSON.stringify(choices).length <= mostOfChoices, 'too many choices')
    .default({}),
  aliases: z.array(address).max(10_000),
  /** Rows of the matrix that are the person's own. */
  permissions: flags,
  signatures: z
    .array(z.object({ name: line(255), body: z.string(), for_new: z.boolean(), for_reply: z.boolean() }))
    .max(1000),
  labels: z.array(z.object({ name: line(255), colour: z.enum(labelColours) })).max(10_000),
  /** Names of the folders that the person made. */
  folders: z.array(ownFolderForm.shape.name).max(mostOwnFolders),
  filters: z
    .array(
      z.object({
        name: line(100),
        on: z.boolean(),
        conditions: filterConditions,
        actions: filterActions,
        label: line(255).nullable(),
        /** The name of the person's own folder into which it moves mail. */
        folder: line(255).nullable().default(null),
      }),
    )
    .max(1000),
  blocked: z.array(address).max(100_000),
  // The From of a message may be longer than an address can be
  image_senders: z.array(line(320)).max(100_000),
  vacation: z
    .object({
      on: z.boolean(),
      subject: line(998),
      body: z.string(),
      first_day: line(10).nullable(),
      last_day: line(10).nullable(),
      time_zone: line(64),
      /** Archives of older versions lack it. */
      only_known: z.boolean().default(false),
    })
    .nullable(),
});
export type PersonFile = z.infer<typeof personFile>;

/** What the file of a draft holds. `body` is what the editor had, as HTML. */
export const draftFile = z.object({
  to: z.array(line(1000)).max(10_000),
  cc: z.array(line(1000)).max(10_000),
  bcc: z.array(line(1000)).max(10_000),
  subject: line(998),
  body: z.string(),
  from: address.nullable(),
  starred: z.boolean(),
  is_reply: z.boolean(),
  in_reply_to: line(998).nullable(),
  references: z.array(line(998)).max(1000),
  files: z.array(z.object({ file: line(255), name: line(255), type: line(255) })).max(1000),
});
export type DraftFileJson = z.infer<typeof draftFile>;

/** The folders whose messages an archive has. Drafts have files of their own. */
export const archivedFolders = ['inbox', 'sent', 'archive', 'junk', 'trash', 'snoozed', 'scheduled', 'own'] as const;
export type ArchivedFolder = (typeof archivedFolders)[number];

/** A line of an index: a message of a person, and what they did with it. */
export const indexLine = z.object({
  file: line(255),
  folder: z.enum(archivedFolders),
  is_sent: z.boolean(),
  read: z.boolean(),
  starred: z.boolean(),
  archived: z.boolean(),
  trashed: z.boolean(),
  junk: z.boolean(),
  answered: z.boolean(),
  forwarded: z.boolean(),
  labels: z.array(line(255)).max(10_000),
  /** The name of the person's own folder that it is in, or goes back to. */
  own_folder: line(255).nullable(),
  keywords: z.array(line(255)).max(1000),
  arrived_at: moment,
  first_arrived_at: moment.nullable(),
  snoozed_until: moment.nullable(),
  /** When its sender is told that no answer has come. Archives of older versions lack it. */
  remind_at: moment.nullable().default(null),
  bcc: z.array(line(1000)).max(10_000).nullable(),
  placement: z
    .object({
      by: z.enum(['dmarc', 'blocked', 'filter']),
      name: z.string(),
      folder: z.enum(['archive', 'junk', 'trash', 'own']).nullable(),
    })
    .nullable(),
  mail_id: line(64),
  envelope_from: line(320),
  /** How many bytes at the beginning are the host's own header lines. */
  trace_bytes: whole,
  authentication: z.record(z.string(), z.unknown()).nullable(),
});
export type IndexLine = z.infer<typeof indexLine>;

/** What `groups.json` holds. */
export const groupsFile = z.object({
  groups: z.array(z.object({ name: line(255), address, active: z.boolean(), members: z.array(address).max(100_000) })),
  catch_alls: z.array(z.object({ domain: line(253), address })),
});
export type GroupsFile = z.infer<typeof groupsFile>;

/** What `manifest.json` holds. */
export const archiveManifest = z.object({
  format: z.literal(1),
  /** Version of Selvage, for people. */
  version: line(64),
  made_at: moment,
  hostname: line(253),
  company: z.object({ name: line(255), email: address }),
  counts: z.object({ people: whole, messages: whole, drafts: whole, lost: whole }),
  /** How many files are before SHA256SUMS. */
  files: whole,
  sums_sha256: digest,
});
export type ArchiveManifest = z.infer<typeof archiveManifest>;
