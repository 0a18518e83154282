import { strToU8, zipSync } from 'fflate';

/** An office file with these parts. */
export function officeFile(parts: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}
