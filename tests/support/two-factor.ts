import { encodePassword } from '@selvage/core/contracts/fields';
import { Secret, TOTP } from 'otpauth';
import { ApiClient } from './api-client.ts';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';

/** The length of a time step, in which a code is valid. */
const STEP_MS = 30_000;

export interface SecondFactor {
  recoveryCodes: string[];
  /**
   * A code that has not been used yet. The first may be one step early, which the server also
   * accepts.
   */
  nextCode: () => string;
  /** A client with the session that turned two-factor on, the only one that is left. */
  client: ApiClient;
}

/** Turns two-factor on for a person, as they would with an app. */
export async function turnOnTwoFactor(host: ReachableHost, { user, password }: Mailbox): Promise<SecondFactor> {
  const client = new ApiClient(host);
  await client.signIn(user.email, password);
  const begin = { password: encodePassword(password), onoff_status: true };
  const { secret } = (await client.call('POST', '/user/verify_password', begin)).body as unknown as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const stepNow = () => Math.floor(Date.now() / STEP_MS);
  const codeAt = (step: number) => totp.generate({ timestamp: step * STEP_MS });
  // With the code of an earlier step, the call would fail if the step changed before the server
  // checks it
  let used = stepNow();
  const answer = await client.call('POST', '/user/verify_otp', { otp: codeAt(used), tfa_status: true });
  const { recovery_codes: recoveryCodes } = answer.body as unknown as { recovery_codes?: string[] };
  if (!recoveryCodes) throw new Error(`two-factor is not on: ${JSON.stringify(answer.body)}`);
  const nextCode = () => {
    // In a slow test, the next step may already have passed
    used = Math.max(used + 1, stepNow());
    return codeAt(used);
  };
  return { recoveryCodes, client, nextCode };
}
