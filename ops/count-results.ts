/** `node ops/count-results.ts <vitest JSON> <vitest exit status>`: prints "<passed> <failed>". */
import { readFileSync, statSync } from 'node:fs';
import { print } from './print.ts';

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

const [path = '', status = '1'] = process.argv.slice(2);
const results: Results | null = statSync(path).size > 0 ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : null;
// A file that could not be loaded has no failing test, and an unhandled error belongs to no test
const broken = (results?.testResults ?? []).filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
).length;
const failed = (results?.numFailedTests ?? 0) + broken;
print(`${results?.numPassedTests ?? 0} ${failed === 0 && status !== '0' ? 1 : failed}`);
