import { mkdtempSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailbox } from '../../../tests/support/factories.ts';
import type { Ctx } from '../context/context.ts';
import { eraseCompanyRows } from '../directory/erase-rows.ts';
import { removeUnusedMessages } from '../mailstore/unused-messages.ts';
import { Company } from '../models/company.ts';
import { CompanyArchive } from '../models/company-archive.ts';
import { ArchiveFile, pathsOf } from './archive-file.ts';
import { beginning } from './cursor.ts';
import { archiveManifest, manifestName } from './layout.ts';
import { workOnArchive } from './make-archive.ts';
import { ArchiveReader } from './read-archive.ts';

type Owner = Pick<Mailbox, 'company'>;

/** Asks for the archive of a company, and answers its id. */
export async function askForArchive({ company }: Owner): Promise<string> {
  const companyId = String(company.id);
  const facts = { askedBy: null, askerName: 'A', fileName: 'a.tar', state: 'making', cursorAt: beginning } as const;
  return String((await CompanyArchive.create({ companyId, makingOf: companyId, ...facts })).id);
}

/** Archives a company and answers the file, which stays when the company goes. */
export async function archiveCompany(ctx: Ctx, owner: Owner): Promise<string> {
  const id = await askForArchive(owner);
  while ((await workOnArchive(ctx, id)) === 'more');
  return await keepFile(ctx, id);
}

/** Copies the file of an archive, so that it stays when the company goes. Answers its path. */
export async function keepFile(ctx: Ctx, id: string): Promise<string> {
  const path = join(mkdtempSync(join(ctx.app.config.dataDir, 'kept-archive-')), 'company.tar');
  await copyFile(pathsOf(ctx.app.config.archives.directory, id).finished, path);
  return path;
}

/** Removes all of a company from the host. */
export async function eraseCompany(ctx: Ctx, { company }: Owner): Promise<void> {
  await Company.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: company.id } });
  await eraseCompanyRows(ctx, String(company.id));
  // Jobs do this otherwise
  await removeUnusedMessages(ctx, '0');
}

/** A file of an archive with its content. */
export interface FileOfArchive {
  name: string;
  content: Buffer;
}

/** Writes an archive anew with other files, and with digests that fit these. Answers its path. */
export async function rewriteArchive(
  path: string,
  change: (files: FileOfArchive[]) => FileOfArchive[],
): Promise<string> {
  const reader = await ArchiveReader.open(path);
  const files: FileOfArchive[] = [];
  for await (const member of reader.members()) {
    files.push({ name: member.name, content: await reader.content(member) });
  }
  await reader.close();
  const changed = change(files.slice(0, -2));
  const manifest = archiveManifest.parse(JSON.parse(String(files.at(-1)?.content)));
  const directory = mkdtempSync(`${path}-changed-`);
  const file = await ArchiveFile.open(directory, '1', { at: beginning.written, when: new Date(manifest.made_at) });
  for (const { name, content } of changed) await file.add(name, content);
  const sums = await file.addSums();
  await file.end(manifestName, { ...manifest, files: changed.length, sums_sha256: sums });
  await file.close();
  return pathsOf(directory, '1').unfinished;
}
