/**
 * Makes the secrets that the containers share, once. Run by the one-shot service `setup` of
 * docker-compose.yml.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSecretFile } from '@selvage/core/secrets/secret-files';

const folder = '/secrets';
ensureSecretFile(folder, 'database-root-password', 24);
const password = ensureSecretFile(folder, 'database-password', 24);
const urlFile = join(folder, 'database-url');
if (!existsSync(urlFile)) {
  writeFileSync(urlFile, `mysql://selvage:${password}@database:3306/selvage\n`, { mode: 0o600 });
}
