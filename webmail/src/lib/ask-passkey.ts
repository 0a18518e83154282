import type { startAuthentication } from '@simplewebauthn/browser';
import { ApiError } from './api-error.ts';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/**
 * Has the browser ask the person for their passkey.
 * @param begin the call whose answer the browser needs
 * @param failed what the person is told when no passkey was used: the browser's own words are meant
 *   for programmers
 * @returns what the passkey answers
 * @throws {ApiError}
 */
export async function askPasskey(
  begin: () => Promise<Record<string, unknown>>,
  failed: string,
): Promise<Record<string, unknown>> {
  try {
    const [library, options] = await Promise.all([import('@simplewebauthn/browser'), begin()]);
    return { ...(await library.startAuthentication({ optionsJSON: options as unknown as Options })) };
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(failed, { status: 0, code: 'no_passkey' });
  }
}
