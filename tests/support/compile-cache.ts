import { join } from 'node:path';

/**
 * The directory of Node's compile cache, as under the supervisor. The programs and commands of all
 * test files share it.
 */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/selvage-tests');
