import { unzipSync } from 'fflate';

/** The files of a zip archive by their names, in the archive's order. */
export function unzip(archive: Uint8Array): Record<string, Buffer> {
  const files = Object.entries(unzipSync(archive));
  return Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes)]));
}
