import { addPasskey, beginPasskey } from '@selvage/core/contracts/two-factor';
import type { startRegistration } from '@simplewebauthn/browser';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';

/** Why this browser can't make a passkey here; null when it can. */
export function whyNoPasskey(): string | null {
  if (!window.isSecureContext) {
    return 'Passkeys need an encrypted connection: open this page with https://.';
  }
  return 'PublicKeyCredential' in window ? null : 'This browser can’t make passkeys.';
}

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Has the device make a passkey, and adds it under a name. */
export async function createPasskey(name: string, password: string): Promise<void> {
  const [options, library] = await Promise.all([
    api(beginPasskey, { body: { password } }),
    import('@simplewebauthn/browser'),
  ]);
  const response = await library
    .startRegistration({ optionsJSON: options as unknown as Options })
    .catch((error: unknown) => {
      throw inWords(error);
    });
  await api(addPasskey, { body: { passkey_name: name, response: { ...response } } });
}

/** What the browser says about it is meant for programmers. */
function inWords(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : '';
  const text =
    name === 'InvalidStateError'
      ? 'This device holds a passkey of yours already.'
      : 'The device made no passkey. It was cancelled or took too long; you can try again.';
  return new ApiError(text, { status: 0, code: 'no_passkey' });
}
