import type { InferBody } from '@selvage/core/contracts/endpoint';
import { addPasskey, beginPasskey } from '@selvage/core/contracts/two-factor';
import type { startRegistration } from '@simplewebauthn/browser';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { passkeyWords } from '../../../words/passkeys.ts';

/** Why this browser can't make a passkey here; null when it can. */
export function whyNoPasskey(): string | null {
  const t = wordsOf(passkeyWords);
  if (!window.isSecureContext) return t.needsEncryption;
  return 'PublicKeyCredential' in window ? null : t.notInBrowser;
}

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Has the device make a passkey, and adds it under a name. */
export async function createPasskey(name: string, proof: InferBody<typeof beginPasskey>): Promise<void> {
  const [options, library] = await Promise.all([api(beginPasskey, { body: proof }), import('@simplewebauthn/browser')]);
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
  const t = wordsOf(passkeyWords);
  const text = name === 'InvalidStateError' ? t.heldAlready : t.notMade;
  return new ApiError(text, { status: 0, code: 'no_passkey' });
}
