import { hourMs } from '../utc-day.ts';
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { Op } from 'sequelize';
import { recordAudit } from '../access/audit.ts';
import { digestFile } from '../backup/manifest.ts';
import { type Ctx, inTransaction } from '../context/context.ts';
import { log } from '../log.ts';
import { nameDirectory } from '../mailstore/directory-name.ts';
import { syncFolder } from '../mailstore/durable-files.ts';
import { type ArchiveProblem, CompanyArchive } from '../models/company-archive.ts';
import { Company } from '../models/company.ts';
import { User } from '../models/user.ts';
import { OperatorError } from '../operator-error.ts';
import { restAfter } from '../sweeps/rest.ts';
import type { Run } from '../sweeps/run.ts';
import { ArchiveFile, LostFile, pathsOf, removeFiles } from './archive-file.ts';
import { Disagreement } from './agreement.ts';
import { archiveDrafts, archiveMessages } from './archive-mail.ts';
import { beginning, type Cursor } from './cursor.ts';
import { describeCompany, describeDomains, describeGroups, describePerson, describeRoles } from './describe-company.ts';
import { roomForArchives } from './disk-room.ts';
import { type ArchiveManifest, folderOfPerson, manifestName } from './layout.ts';
import { ArchiveReader } from './read-archive.ts';
import { verifyArchive } from './verify-archive.ts';

/*
 * An archive is written in steps (D66):
 *
 *   claim the row -> is there room? -> write a person, some drafts or some messages -> wait for the
 *     disk -> note in the row how far it is -> the next step
 *
 * After a run that was killed, the next one cuts off what was written after the noted place. At the
 * end the whole file is read again and compared. Only then does it get its final name.
 */

/** A run that has not renewed its lease for this long counts as dead. */
export const leaseMs = 60_000;
/** In how many hours runs may fail without a further step. */
const mostFailingHours = 24;
/** How often an archive is begun anew when the company was changed too much while it was made. */
const mostAnew = 2;
/** How often a run renews its lease, also within a step. */
const renewMs = 10_000;

/**
 * Works on an archive until it is done, or until the time of the run is over.
 * @returns whether there is more to do
 */
export async function workOnArchive(ctx: Ctx, archiveId: string, run: Run = {}): Promise<'more' | 'done'> {
  const claim: Claim = { archiveId, claimId: randomUUID() };
  const { claimId } = claim;
  if (!(await renewClaim(claim, { isNew: true }))) return 'done';
  try {
    return await renewingClaim(claim, () => goOn(ctx, { ...claim, run }));
  } catch (error) {
    // This process ends, and another run continues the archive
    if (run.signal?.aborted) throw error;
    const problem = problemOf(error) ?? ((await countFailure(claim)) ? 'failed' : null);
    if (problem === null) throw error;
    log.warn('an archive of a company was given up', { archiveId, problem, error });
    await giveUp(ctx, claim, problem);
    return 'done';
  } finally {
    await CompanyArchive.update({ leaseUntil: null }, { where: { id: archiveId, claimId } });
  }
}

interface Claim {
  archiveId: string;
  claimId: string;
}

/** Thrown when another run has the archive, or it was removed. This run must write no more. */
class LostClaim extends Error {}
const lostClaim = () => new LostClaim('another run has the archive');
class NoRoom extends Error {}

/** Why an archive can't be made; null for a failure that may pass, as when the database is away. */
function problemOf(error: unknown): ArchiveProblem | null {
  if (error instanceof NoRoom) return 'no_room';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'no_room';
  return error instanceof OperatorError ? 'damaged' : null;
}

/**
 * Counts a run that failed.
 * @returns whether runs have failed in too many hours without a step, so the archive is given up
 */
async function countFailure({ archiveId, claimId }: Claim): Promise<boolean> {
  const archive = await CompanyArchive.findOne({ where: { id: archiveId, claimId }, attributes: ['cursorAt'] });
  if (archive === null) return false;
  const cursor = archive.cursorAt as Cursor;
  const { hours, since } = cursor.failing ?? { hours: 0, since: 0 };
  const now = Date.now();
  // A clock that was set back does not stop the count
  if (Math.abs(now - since) < hourMs) return false;
  const failing = { hours: hours + 1, since: now };
  await CompanyArchive.update({ cursorAt: { ...cursor, failing } }, { where: { id: archiveId, claimId } });
  return failing.hours > mostFailingHours;
}

async function renewClaim({ archiveId, claimId }: Claim, { isNew }: { isNew: boolean }): Promise<boolean> {
  const now = Date.now();
  const free = { [Op.or]: [{ leaseUntil: null }, { leaseUntil: { [Op.lt]: new Date(now) } }] };
  const [changed] = await CompanyArchive.update(
    { claimId, leaseUntil: new Date(now + leaseMs) },
    { where: { id: archiveId, state: 'making', ...(isNew ? free : { claimId }) } },
  );
  return changed > 0;
}

async function goOn(ctx: Ctx, { archiveId, claimId, run }: Claim & { run: Run }): Promise<'more' | 'done'> {
  const { directory } = ctx.app.config.archives;
  const archive = await CompanyArchive.findByPk(archiveId, { rejectOnEmpty: true });
  const company = await Company.findOne({ where: { id: archive.companyId, erasedAt: null } });
  if (company === null) return await forget(ctx, archiveId);
  const place = await nameDirectory(directory);
  let cursor: Cursor = { ...(archive.cursorAt as Cursor), place };
  try {
    if (!isNamed(directory, { archiveId, cursor })) {
      const { cursor: reached, isTimeOver } = await writeSteps(ctx, { cursor, archive, company }, { claimId, run });
      if (isTimeOver) return 'more';
      cursor = reached;
    }
    await finish(ctx, { archive, claimId, directory, signal: run.signal });
    return 'done';
  } catch (error) {
    if (error instanceof LostClaim) return await forget(ctx, archiveId);
    const { anew = 0 } = cursor;
    if (!(error instanceof Disagreement) || anew === mostAnew) throw error;
    log.info('an archive of a company is begun anew', { archiveId, reason: error.message });
    await note({ archiveId, claimId }, { ...beginning, place, anew: anew + 1 });
    return 'more';
  }
}

/** Says whether the file has its last name: a run may have ended between that and its row. */
function isNamed(directory: string, { archiveId, cursor }: { archiveId: string; cursor: Cursor }): boolean {
  const { unfinished, finished } = pathsOf(directory, archiveId);
  return cursor.stage === 'end' && !existsSync(unfinished) && existsSync(finished);
}

/** Writes step by step until all is written, or until the time of the run is over. */
async function writeSteps(
  ctx: Ctx,
  { cursor, archive, company }: Stand,
  { claimId, run }: { claimId: string; run: Run },
): Promise<{ cursor: Cursor; isTimeOver: boolean }> {
  const archiveId = String(archive.id);
  const deadline = performance.now() + (run.longestMs ?? Infinity);
  const file = await openFile(ctx, archive, cursor);
  let at = cursor;
  if (file.bytes === 0) at = { ...beginning, place: cursor.place, anew: cursor.anew };
  try {
    while (at.stage !== 'end') {
      run.signal?.throwIfAborted();
      const startedAt = performance.now();
      if ((await roomForArchives(ctx.app)) < 0) throw new NoRoom('no room for an archive');
      at = await takeStep(ctx, file, { cursor: at, archive, company });
      at.written = await file.sync();
      at.failing = undefined;
      await note({ archiveId, claimId }, at);
      if (performance.now() > deadline) return { cursor: at, isTimeOver: true };
      await restAfter(startedAt, run.signal);
    }
  } finally {
    await file.close();
  }
  return { cursor: at, isTimeOver: false };
}

async function openFile(ctx: Ctx, archive: CompanyArchive, { written }: Cursor): Promise<ArchiveFile> {
  const { directory } = ctx.app.config.archives;
  const open = (at: Cursor['written']) =>
    ArchiveFile.open(directory, String(archive.id), { at, when: archive.createdAt });
  try {
    return await open(written);
  } catch (error) {
    if (!(error instanceof LostFile)) throw error;
    return await open(beginning.written);
  }
}

/**
 * Removes the files of an archive whose row or company was removed, unless another run writes them
 * or has finished them.
 */
async function forget(ctx: Ctx, archiveId: string): Promise<'done'> {
  const archive = await CompanyArchive.findByPk(archiveId);
  if (archive?.state === 'ready') return 'done';
  if (archive?.state === 'making' && (await Company.count({ where: { id: archive.companyId, erasedAt: null } })) > 0)
    return 'done';
  if (archive?.state === 'making') await archive.update({ state: 'removed', makingOf: null });
  await removeFiles(ctx.app.config.archives.directory, archiveId);
  return 'done';
}

async function note({ archiveId, claimId }: Claim, cursor: Cursor): Promise<void> {
  const { messages, lost, people } = cursor.counts;
  const bytes = String(cursor.written.bytes);
  const [changed] = await CompanyArchive.update(
    { cursorAt: cursor, done: messages, lost, people, bytes, leaseUntil: new Date(Date.now() + leaseMs) },
    { where: { id: archiveId, claimId, state: 'making' } },
  );
  if (changed === 0) throw lostClaim();
}

interface Stand {
  cursor: Cursor;
  archive: CompanyArchive;
  company: Company;
}

async function takeStep(ctx: Ctx, file: ArchiveFile, { cursor, archive, company }: Stand): Promise<Cursor> {
  const companyId = String(company.id);
  if (cursor.stage === 'company') {
    await file.addJson('company.json', await describeCompany(company));
    return { ...cursor, stage: 'people', counts: add(cursor, { files: 1 }) };
  }
  if (cursor.stage === 'people') return await stepOfPeople(ctx, file, { cursor, companyId });
  await file.addJson('groups.json', await describeGroups(ctx, companyId));
  await file.addJson('roles.json', await describeRoles(companyId));
  await file.addJson('domains.json', await describeDomains(companyId));
  const counts = add(cursor, { files: 3 });
  const sums = await file.addSums();
  const { files, ...shown } = counts;
  const manifest: ArchiveManifest = {
    format: 1,
    version: versionOfSelvage(),
    made_at: archive.createdAt.toISOString(),
    hostname: ctx.app.config.hostname,
    company: { name: company.name, email: company.email },
    counts: shown,
    files,
    sums_sha256: sums,
  };
  await file.end(manifestName, manifest);
  return { ...cursor, stage: 'end', counts };
}

function add({ counts }: Cursor, more: Partial<Cursor['counts']>): Cursor['counts'] {
  const sum = { ...counts };
  for (const [name, count] of Object.entries(more)) sum[name as keyof typeof sum] += count;
  return sum;
}

async function stepOfPeople(
  ctx: Ctx,
  file: ArchiveFile,
  { cursor, companyId }: { cursor: Cursor; companyId: string },
): Promise<Cursor> {
  const { current } = cursor;
  if (current === null) return await beginPerson(ctx, file, { cursor, companyId });
  const isDrafts = current.stage === 'drafts';
  const { last, written, lost, files } = await (isDrafts ? archiveDrafts : archiveMessages)(ctx, file, current);
  const counts = add(cursor, { lost, files, [isDrafts ? 'drafts' : 'messages']: written });
  if (last !== null) {
    const indexes = current.indexes + (!isDrafts && written > 0 ? 1 : 0);
    return { ...cursor, counts, current: { ...current, last, indexes } };
  }
  if (isDrafts) return { ...cursor, counts, current: { ...current, stage: 'mail', last: '0' } };
  return { ...cursor, counts: add(cursor, { people: 1 }), person: current.id, current: null };
}

async function beginPerson(
  ctx: Ctx,
  file: ArchiveFile,
  { cursor, companyId }: { cursor: Cursor; companyId: string },
): Promise<Cursor> {
  const where = { companyId, erasedAt: null, id: { [Op.gt]: cursor.person } };
  const user = await User.findOne({ where, order: [['id', 'ASC']] });
  if (user === null) return { ...cursor, stage: 'groups' };
  const id = String(user.id);
  const folder = folderOfPerson({ id, email: user.email });
  await file.addJson(`people/${folder}/person.json`, await describePerson(ctx, user));
  const current = { id, folder, stage: 'drafts', last: '0', indexes: 0 } as const;
  return { ...cursor, current, counts: add(cursor, { files: 1 }) };
}

function versionOfSelvage(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

interface Finishing {
  archive: CompanyArchive;
  claimId: string;
  directory: string;
  signal: AbortSignal | undefined;
}

/**
 * Reads the whole file once more, its digests and all of its JSON as a restore reads them: an
 * archive that a restore would refuse is not offered. A run that begins here finds the file under
 * its last name where the one before ended too early. It may take long, since it is not done in
 * portions: a file of 100 GB is read twice.
 */
async function finish(ctx: Ctx, { archive, claimId, directory, signal }: Finishing): Promise<void> {
  const archiveId = String(archive.id);
  const { unfinished, finished, sums } = pathsOf(directory, archiveId);
  const path = existsSync(unfinished) ? unfinished : finished;
  const reader = await ArchiveReader.open(path);
  try {
    await verifyArchive(reader, signal);
  } finally {
    await reader.close();
  }
  const { sha256, bytes } = await digestFile(path, signal);
  if (!(await renewClaim({ archiveId, claimId }, { isNew: false }))) throw lostClaim();
  if (path === unfinished) await rename(unfinished, finished);
  await syncFolder(directory);
  await rm(sums, { force: true });
  await inTransaction(ctx, async (tx) => {
    const [changed] = await CompanyArchive.update(
      { state: 'ready', makingOf: null, sha256, bytes: String(bytes), finishedAt: new Date() },
      { where: { id: archiveId, claimId, state: 'making' }, transaction: tx.tx },
    );
    if (changed > 0) await audit(tx, archive, { action: 'archive:made', details: { bytes, sha256 } });
  });
  log.info('an archive of a company was made', { archiveId, companyId: String(archive.companyId) });
}

/** Renews the claim while work takes long. */
async function renewingClaim<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
  let renewing = Promise.resolve(true);
  const timer = setInterval(() => {
    renewing = renewClaim(claim, { isNew: false }).catch((error: unknown) => {
      log.debug('the claim of an archive could not be renewed', { error });
      return false;
    });
  }, renewMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // It must not come after the claim was given back
    await renewing;
  }
}

/** Gives an archive up and removes its files, unless another run has it by now. */
async function giveUp(ctx: Ctx, { archiveId, claimId }: Claim, problem: ArchiveProblem): Promise<void> {
  const isOwn = await inTransaction(ctx, async (tx) => {
    const archive = await CompanyArchive.findOne({
      where: { id: archiveId, claimId, state: 'making' },
      transaction: tx.tx,
    });
    if (archive === null) return false;
    await archive.update({ state: 'failed', makingOf: null, problem, finishedAt: new Date() }, { transaction: tx.tx });
    await audit(tx, archive, { action: 'archive:failed', details: { problem } });
    return true;
  });
  if (isOwn) await removeFiles(ctx.app.config.archives.directory, archiveId);
}

async function audit(
  ctx: Ctx,
  archive: CompanyArchive,
  { action, details }: { action: 'archive:made' | 'archive:failed'; details: Record<string, unknown> },
): Promise<void> {
  const companyId = String(archive.companyId);
  await recordAudit(ctx, { action, entity: 'archive', entityId: String(archive.id), companyId, details });
}
