/**
 * Makes the secrets that the containers share, once. Run by the one-shot service `setup` of
 * docker-compose.yml.
 */
import { join } from 'node:path';
import { readIfThere, replaceFile } from '@selvage/core/secrets/published-file';
import { ensureSecretFile } from '@selvage/core/secrets/secret-files';

const [folder = '/secrets'] = process.argv.slice(2);
ensureSecretFile(folder, 'database-root-password', 24);
const password = ensureSecretFile(folder, 'database-password', 24);
const urlFile = join(folder, 'database-url');
// A start that was cut off in an older version may have left it empty
if (!readIfThere(urlFile)?.trim()) {
  replaceFile(urlFile, `mysql://selvage:${password}@database:3306/selvage\n`, 0o600);
}
