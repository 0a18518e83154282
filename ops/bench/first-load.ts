/** Sums the static imports of the entry and of the mail route, read from the build's manifest. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { print } from '../print.ts';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const dist = new URL('../../webmail/dist/', import.meta.url);
const route = (process.argv[2] ?? 'mail').toLowerCase();
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>;
const wanted = new Set<string>();

function want(name: string): void {
  if (wanted.has(name)) return;
  wanted.add(name);
  for (const imported of manifest[name]?.imports ?? []) want(imported);
}

const names = Object.keys(manifest);
const entries = names.filter((name) => manifest[name]?.isEntry);
const routes = names.filter(
  (name) => !name.startsWith('_') && (name.split('/').at(-1) ?? '').toLowerCase().includes(route),
);
for (const name of [...entries, ...routes]) want(name);

let total = 0;
for (const name of wanted) {
  const file = manifest[name]?.file ?? '';
  if (!file.endsWith('.js')) continue;
  const size = brotliCompressSync(readFileSync(new URL(file, dist))).length;
  total += size;
  print(`${(size / 1024).toFixed(1).padStart(8)} KB  ${file}`);
}
print(`${(total / 1024).toFixed(1).padStart(8)} KB  in all (at most 250), for ${[...entries, ...routes].join(', ')}`);
process.exit(total <= 250 * 1024 ? 0 : 1);
