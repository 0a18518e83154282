import { columnsOf, type MatrixColumns } from '../access/effective-permissions.ts';
import type { TxCtx } from '../context/context.ts';
import { modelNames } from '../contracts/permissions.ts';
import { Module } from '../models/module.ts';
import { type PersonFile, personFile, rolesFile } from './layout.ts';
import type { ArchiveReader } from './read-archive.ts';

type Flags = PersonFile['permissions'];

/**
 * The rows of the matrix for some flags. It leaves out flags of a module that this host lacks: no
 * person here could hold them, so a role with one would outrank even the provider's Super Admin. It
 * also knows the built-in modules by name. They become rows only when the host is first started,
 * and a restore may come before. The rows of the modules stay locked, so that none is deleted under
 * its new flags.
 */
export async function matrixRowsOf(tx: TxCtx, flags: Flags): Promise<MatrixColumns[]> {
  const names = flags.map(({ model }) => model);
  const modules = await Module.findAll({ where: { name: names }, transaction: tx.tx, lock: tx.tx.LOCK.SHARE });
  const known = new Set<string>([...modelNames, ...modules.map(({ name }) => name)]);
  return flags.filter(({ model }) => known.has(model)).map(columnsOf);
}

/** The modules that an archive has flags of and that this host lacks, in the order of names. */
export async function findMissingModules(reader: ArchiveReader): Promise<string[]> {
  const missing = new Set<string>();
  for await (const member of reader.members()) {
    const isRoles = member.name === 'roles.json';
    if (!isRoles && !member.name.endsWith('/person.json')) continue;
    const holders = isRoles ? await reader.json(member, rolesFile) : [await reader.json(member, personFile)];
    for (const { permissions } of holders) for (const { model } of permissions) missing.add(model);
  }
  const modules = await Module.findAll();
  for (const name of [...modelNames, ...modules.map((module) => module.name)]) missing.delete(name);
  return [...missing].sort();
}
