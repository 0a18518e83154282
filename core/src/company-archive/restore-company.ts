import { recordAudit } from '../access/audit.ts';
import { digestFile } from '../backup/manifest.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { builtInRole } from '../contracts/permissions.ts';
import { withNamedLock } from '../database/named-lock.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { createLink, shownToOperator } from '../directory/one-time-links.ts';
import { Client } from '../models/client.ts';
import { Company } from '../models/company.ts';
import { User } from '../models/user.ts';
import { OperatorError } from '../operator-error.ts';
import { mostWaiting } from './agreement.ts';
import {
  type ArchiveManifest,
  companyFile,
  domainsFile,
  groupsFile,
  isOfCompany,
  personFile,
  personOf,
  rolesFile,
  sumsName,
} from './layout.ts';
import { ArchiveReader, type Member } from './read-archive.ts';
import { findMissingModules } from './restore-flags.ts';
import { type FileToRead, type Owner, readDraft, readMessages, type Written } from './restore-mail.ts';
import { type CompanyFiles, refuseTaken, restoreCompanyRows, restoreGroups, restorePerson } from './restore-people.ts';
import { verifyArchive } from './verify-archive.ts';

/*
 * An archive is restored in one walk (D66):
 *
 *   read all and compare it with its digests -> the company, its roles and domains -> each other
 *     file of JSON with the files before it, in one transaction with the place that is reached
 *
 * A restore that was interrupted goes on after that place, so nothing is restored twice. One
 * command at a time restores an archive: it holds a lock of the database, and writes a file only if
 * the place is still the one at which that file begins. The company is switched off until all of it
 * is restored. Until then senders keep the mail for people that are not restored yet.
 */

/** What is restored, and how. */
export interface CompanyRestore {
  path: string;
  /** The digest that the file must have, as the screen shows it. */
  sha256?: string | undefined;
  /** Allows another company of the same name on the host. */
  isNameFree?: boolean;
  /** Takes sentences about the progress. */
  say?: (text: string) => void;
}

/** The result of a restore. */
export interface RestoredCompany {
  companyId: string;
  manifest: ArchiveManifest;
  /** A link for each administrator that sets their password. It works once, for a day. */
  links: { email: string; link: string }[];
  domains: string[];
  /** Modules that this host lacks: permissions of these were left out. */
  missingModules: string[];
}

/**
 * Restores a company into a host, from a file that is verified first.
 * @throws OperatorError in a sentence that names what is wrong. Nothing is written then, unless a
 * file matches its digest and still does not fit the host: the files before it are written
 */
export async function restoreCompany(ctx: Ctx, restore: CompanyRestore): Promise<RestoredCompany> {
  const { path, say = () => undefined } = restore;
  const reader = await ArchiveReader.open(path);
  try {
    say('reading the archive and comparing it with its checksums');
    const manifest = await verifyArchive(reader);
    const { sha256 } = await digestFile(path);
    if (restore.sha256 !== undefined && restore.sha256.toLowerCase() !== sha256) {
      throw new OperatorError(`the file has the SHA-256 ${sha256}: it is not the archive that was named`);
    }
    return await withRestoreLock(ctx, sha256, async () => {
      const files = await readCompany(reader);
      const companyId = await begin(ctx, files, { sha256, isNameFree: restore.isNameFree ?? false });
      await walk(ctx, reader, { sha256, companyId, say });
      const missingModules = await findMissingModules(reader);
      const made = await finish(ctx, { sha256, companyId, isActive: files.company.active });
      return { companyId, manifest, missingModules, ...made };
    });
  } finally {
    await reader.close();
  }
}

async function withRestoreLock<T>(ctx: Ctx, sha256: string, work: () => Promise<T>): Promise<T> {
  const lock = { name: `selvage-restore-${sha256.slice(0, 32)}`, patienceSeconds: 0, refusal: restoredElsewhere };
  return await withNamedLock(ctx.app.db, lock, work);
}

function restoredElsewhere(): OperatorError {
  return new OperatorError('another command is restoring this archive; wait until that one has ended');
}

interface Place {
  companyId: string;
  position: string;
  personId: string | null;
  finishedAt: Date | null;
}

async function readPlace(ctx: Ctx, sha256: string): Promise<Place | undefined> {
  const [place] = await readRows<Place>(
    ctx,
    `SELECT company_id AS companyId, position, person_id AS personId, finished_at AS finishedAt
       FROM company_restores WHERE sha256 = ?`,
    [sha256],
  );
  return place;
}

/** Reads the files that make the company, wherever in the archive they are. */
async function readCompany(reader: ArchiveReader): Promise<CompanyFiles> {
  const members = new Map<string, Member>();
  for await (const member of reader.members()) if (isOfCompany(member.name)) members.set(member.name, member);
  const memberOf = (name: string) => {
    const member = members.get(name);
    if (!member) throw new OperatorError(`the archive has no ${name}`);
    return member;
  };
  return {
    company: await reader.json(memberOf('company.json'), companyFile),
    roles: await reader.json(memberOf('roles.json'), rolesFile),
    domains: await reader.json(memberOf('domains.json'), domainsFile),
  };
}

/** Makes the company, or finds the one that an interrupted restore has begun. */
async function begin(
  ctx: Ctx,
  files: CompanyFiles,
  { sha256, isNameFree }: { sha256: string; isNameFree: boolean },
): Promise<string> {
  const begun = await readPlace(ctx, sha256);
  if (begun?.finishedAt) throw new OperatorError('this archive was restored into this host already');
  if (begun) return String(begun.companyId);
  await refuseTaken(ctx, files, isNameFree);
  return await inTransaction(ctx, async (tx) => {
    const companyId = await restoreCompanyRows(tx, files);
    await changeRows(
      tx,
      'INSERT INTO company_restores (sha256, company_id, position, created_at) VALUES (?, ?, 0, ?)',
      [sha256, companyId, new Date()],
    );
    return companyId;
  });
}

interface Walking {
  sha256: string;
  companyId: string;
  say: (text: string) => void;
}

async function walk(ctx: Ctx, reader: ArchiveReader, { sha256, companyId, say }: Walking): Promise<void> {
  const place = await readPlace(ctx, sha256);
  if (!place) throw new OperatorError('the company was deleted while it was restored');
  let owner = place.personId === null ? null : await ownerOf(companyId, String(place.personId));
  let from = Number(place.position);
  const waiting = new Map<string, Member>();
  for await (const member of reader.members(from)) {
    const { name } = member;
    if (name === sumsName) return;
    if (isOfCompany(name)) continue;
    if (!/\.jsonl?$/.test(name)) {
      waiting.set(name, member);
      if (waiting.size > mostWaiting) throw new OperatorError(`no file of JSON names ${name}`);
      continue;
    }
    const isPerson = name.endsWith('/person.json');
    if (isPerson) owner = null;
    const write = await readUnit(ctx, reader, { member, files: waiting, owner, companyId, say });
    const personId = await inTransaction(ctx, async (tx) => {
      const made = await write(tx);
      const id = isPerson ? (made ?? null) : (owner?.userId ?? null);
      await moveOn(tx, sha256, { from, to: member.end, personId: id });
      return id;
    });
    from = member.end;
    if (isPerson && personId !== null) {
      owner = await ownerOf(companyId, personId);
      say(owner.email);
    }
    waiting.clear();
  }
}

interface Unit extends Omit<FileToRead, 'owner'> {
  owner: Owner | null;
  companyId: string;
}

/** Reads a JSON file with the files that it names. Resolves to a function that writes the rows. */
async function readUnit(
  ctx: Ctx,
  reader: ArchiveReader,
  { member, files, owner, companyId, say }: Unit,
): Promise<Written | ((tx: TxCtx) => Promise<string>)> {
  const { name } = member;
  if (name === 'groups.json') {
    const groups = await reader.json(member, groupsFile);
    return (tx) => restoreGroups(tx, companyId, groups);
  }
  if (name.endsWith('/person.json')) {
    const person = await reader.json(member, personFile);
    return (tx) => restorePerson(tx, companyId, person);
  }
  if (owner === null || personOf(name) === null) throw new OperatorError(`${name} belongs to no person`);
  const toRead = { member, files, owner, say };
  return await (name.endsWith('.jsonl') ? readMessages : readDraft)(ctx, reader, toRead);
}

async function ownerOf(companyId: string, userId: string): Promise<Owner> {
  const user = await User.findOne({ where: { id: userId, companyId } });
  if (!user) throw new OperatorError('a person was deleted while their mail was restored');
  return { companyId, userId, email: user.email };
}

/** The position at which the files that are written begin, and the one after them. */
interface Move {
  from: number;
  to: number;
  personId: string | null;
}

async function moveOn(tx: TxCtx, sha256: string, { from, to, personId }: Move): Promise<void> {
  const changed = await changeRows(
    tx,
    `UPDATE company_restores SET position = ?, person_id = ?
      WHERE sha256 = ? AND position = ? AND finished_at IS NULL`,
    [to, personId, sha256, from],
  );
  if (changed === 0) await refuseMoved(tx, sha256);
}

/**
 * Throws the reason why the position has changed: the company was deleted, or this restore lost its
 * lock with its connection and another one went on.
 */
async function refuseMoved(tx: TxCtx, sha256: string): Promise<never> {
  if (await readPlace(tx, sha256)) throw restoredElsewhere();
  throw new OperatorError('the company was deleted while it was restored');
}

/**
 * Ends the restore. Company and client are switched on, unless the archive says that they were off.
 */
async function finish(
  ctx: Ctx,
  { sha256, companyId, isActive }: { sha256: string; companyId: string; isActive: boolean },
): Promise<Pick<RestoredCompany, 'links' | 'domains'>> {
  return await inTransaction(ctx, async (tx) => {
    const isFirst = 'UPDATE company_restores SET finished_at = ? WHERE sha256 = ? AND finished_at IS NULL';
    if ((await changeRows(tx, isFirst, [new Date(), sha256])) === 0) await refuseMoved(tx, sha256);
    await Company.update({ activeStatus: isActive }, { where: { id: companyId }, transaction: tx.tx });
    await Client.update({ activeStatus: isActive }, { where: { companyId }, transaction: tx.tx });
    const record = { action: 'archive:restored', entity: 'company', entityId: companyId, companyId } as const;
    await recordAudit(tx, { ...record, details: { sha256 } });
    const rows = await readRows<{ id: string }>(
      tx,
      `SELECT u.id FROM users u JOIN roles r ON r.id = u.role_id
        WHERE u.company_id = ? AND u.deleted_at IS NULL AND r.role_id IN (?)`,
      [companyId, [builtInRole.superAdmin, builtInRole.admin]],
    );
    const links: RestoredCompany['links'] = [];
    for (const { id } of rows) {
      const user = await User.findByPk(id, { rejectOnEmpty: true, transaction: tx.tx });
      links.push({ email: user.email, link: await createLink(tx, user, 'set_password', shownToOperator) });
    }
    const domains = await readRows<{ name: string }>(
      tx,
      'SELECT domain_name AS name FROM domains WHERE company_id = ? AND deleted_at IS NULL ORDER BY id',
      [companyId],
    );
    return { links, domains: domains.map(({ name }) => name) };
  });
}
