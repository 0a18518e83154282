import { join } from 'node:path';

/** Folder of the built web app. */
export const webmailRoot = join(import.meta.dirname, '../../../webmail/dist');
