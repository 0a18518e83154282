import { join } from 'node:path';

/**
 * Where Node keeps what it compiled for the next start, as under the supervisor: for the programs
 * and commands of all test files.
 */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/selvage-tests');
