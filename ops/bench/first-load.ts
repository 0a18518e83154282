/** The JavaScript of a first visit: what the entry, the shell around every screen and the mail route import before they can be shown. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { print } from '../print.ts';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const dist = new URL('../../webmail/dist/', import.meta.url);
const SHELL = 'src/app/Shell.tsx';
const route = process.argv[2] ?? 'src/features/mail/FolderPage.tsx';
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>;
const wanted = new Set<string>();

function want(name: string): void {
  if (wanted.has(name)) return;
  wanted.add(name);
  for (const imported of manifest[name]?.imports ?? []) want(imported);
}

const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
const roots = [...entries, SHELL, route];
for (const name of roots) {
  if (!manifest[name]) throw new Error(`the build has no chunk of its own for ${name}`);
  want(name);
}

let total = 0;
for (const name of wanted) {
  const file = manifest[name]?.file ?? '';
  if (!file.endsWith('.js')) continue;
  const size = brotliCompressSync(readFileSync(new URL(file, dist))).length;
  total += size;
  print(`${(size / 1024).toFixed(1).padStart(8)} KB  ${file}`);
}
print(`${(total / 1024).toFixed(1).padStart(8)} KB  in all (at most 250), for ${roots.join(', ')}`);
process.exit(total <= 250 * 1024 ? 0 : 1);
