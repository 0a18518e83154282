import { OperatorError } from '../operator-error.ts';
import { Agreement } from './agreement.ts';
import { type ArchiveManifest, archiveManifest, manifestName, sumsName } from './layout.ts';
import type { ArchiveReader, Member } from './read-archive.ts';

/** The longest line of SHA256SUMS: a digest and a name. */
const mostLineBytes = 330;
/** A SHA-256 in hexadecimal. */
const digestLetters = 64;

/**
 * Reads a whole archive: compares each file with its digest and the list of digests with the
 * manifest, and judges the files of JSON as a restore does.
 * @throws OperatorError naming the file that is damaged, missing or too much, or does not fit;
 * Disagreement when each of them fits and they contradict each other; the signal's reason when it
 * aborts
 */
export async function verifyArchive(reader: ArchiveReader, signal?: AbortSignal): Promise<ArchiveManifest> {
  const { sums, manifest } = await findEnd(reader, signal);
  const facts = await reader.json(manifest, archiveManifest);
  if ((await reader.digest(sums)) !== facts.sums_sha256) throw new OperatorError(`${sumsName} was changed`);
  const agreement = new Agreement(reader);
  const lines = reader.lines(sums);
  let files: number;
  try {
    files = await verifyMembers(reader, { lines, agreement, signal });
  } finally {
    await lines.return(undefined);
  }
  if (files !== facts.files)
    throw new OperatorError(`${manifestName} says ${facts.files} files, and there are ${files}`);
  agreement.end();
  return facts;
}

interface Verifying {
  lines: ReturnType<ArchiveReader['lines']>;
  agreement: Agreement;
  signal: AbortSignal | undefined;
}

/**
 * Compares each file with its line of SHA256SUMS.
 * @returns how many files there are before SHA256SUMS
 */
async function verifyMembers(reader: ArchiveReader, { lines, agreement, signal }: Verifying): Promise<number> {
  let files = 0;
  for await (const member of reader.members()) {
    signal?.throwIfAborted();
    if (member.name === sumsName) break;
    const { value: line } = await lines.next();
    // A name may have two spaces in a row itself, so only the widths tell digest and name apart
    if (line?.slice(digestLetters) !== `  ${member.name}`) {
      throw new OperatorError(`${member.name} is not in ${sumsName}`);
    }
    if ((await reader.digest(member)) !== line.slice(0, digestLetters)) {
      throw new OperatorError(`${member.name} was changed or is damaged`);
    }
    await agreement.take(member);
    files += 1;
  }
  const { value: missing } = await lines.next();
  if (missing !== undefined) throw new OperatorError(`${missing.slice(digestLetters + 2)} is missing`);
  return files;
}

/** Finds the two last files. On the way it checks the names of all files. */
async function findEnd(reader: ArchiveReader, signal?: AbortSignal): Promise<{ sums: Member; manifest: Member }> {
  let sums: Member | undefined;
  let files = 0;
  for await (const member of reader.members()) {
    signal?.throwIfAborted();
    files += 1;
    if (member.name === manifestName && sums !== undefined) return { sums, manifest: member };
    if (sums !== undefined) throw new OperatorError(`${member.name} stands behind ${sumsName}`);
    if (member.name === manifestName) throw new OperatorError(`the archive has no ${sumsName}`);
    if (member.name !== sumsName) continue;
    // A list that is one endless line would be read into memory
    if (member.size > files * mostLineBytes) throw new OperatorError(`${sumsName} is larger than it can be`);
    sums = member;
  }
  throw new OperatorError('the archive has no manifest');
}
