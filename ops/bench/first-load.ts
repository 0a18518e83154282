/**
 * Prints the JavaScript of a first visit to each screen that people open first, and ends with
 * status 1 when one is too large.
 */
import { print } from '../print.ts';
import { measureVisit, screens } from './page-weights.ts';

let isFine = true;
for (const [name, { roots, mostKiB }] of Object.entries(screens)) {
  const { scripts, kiB, requests } = measureVisit(roots);
  print(`${name}: ${kiB.toFixed(1)} KiB of at most ${mostKiB}, ${requests} requests`);
  for (const { file, bytes } of scripts) print(`${(bytes / 1024).toFixed(1).padStart(8)} KiB  ${file}`);
  isFine &&= kiB <= mostKiB;
}
process.exit(isFine ? 0 : 1);
