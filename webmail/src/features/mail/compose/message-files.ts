import { uniqueId } from '../../../lib/unique-id.ts';
import { sortFiles } from './attachments.ts';
import { carriedFiles } from './composition.ts';
import type { OpenMessage } from './windows.ts';

/** Attaches files; those that may not go are named with the reason. */
export function attachFiles(message: OpenMessage, chosen: File[]): void {
  const composition = message.composition.get();
  const all = [...composition.files, ...carriedFiles(composition)];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const { accepted, problems } = sortFiles(chosen, { files: all.length, bytes });
  const added = accepted.map((file) => ({ id: uniqueId(), file }));
  for (const { id, file } of added) message.files.set(id, file);
  message.fileProblems.set(problems);
  if (added.length === 0) return;
  const files = added.map(({ id, file: { name, type, size } }) => ({ id, name, type, size }));
  message.write({ files: [...composition.files, ...files] });
}

export function removeFile(message: OpenMessage, id: string): void {
  message.files.delete(id);
  message.write({ files: message.composition.get().files.filter((file) => file.id !== id) });
}

/** Leaves out a file that the server would add of itself. */
export function dropCarried(message: OpenMessage, id: string): void {
  message.write({ dropped: [...message.composition.get().dropped, id] });
}
