import { join } from 'node:path';

/**
 * What a kept host depends on beside its files. The key seals and hashes the secrets of made-up
 * people in the dumps. It is no secret, and no other host may use it.
 */
export const keptSettings = {
  SELVAGE_HOSTNAME: 'host.test',
  SELVAGE_ADMIN_EMAIL: 'admin@host.test',
  SELVAGE_ADMIN_PASSWORD: 'correct horse battery',
  SELVAGE_SECRET_KEY: '0123456789abcdef'.repeat(4),
};

/** The password of each person of a kept host. */
export const keptPassword = 'a long pass phrase';

/** The password of a mail program of bob@acme.test. */
export const keptAppPassword = 'kept0-kept1-kept2-kept3';

/** What the secrets of two-factor authentication are sealed for. */
export const twoFactorPurpose = 'two-factor-secret';

/** Where the files of a kept version are. */
export function keptFiles(version: string): { folder: string; dump: string; blobs: string; expected: string } {
  const folder = join(import.meta.dirname, version);
  return {
    folder,
    dump: join(folder, 'database.sql'),
    blobs: join(folder, 'blobs'),
    expected: join(folder, 'expected.json'),
  };
}
