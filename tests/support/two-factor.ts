import { encodePassword } from '@selvage/core/contracts/fields';
import { Secret, TOTP } from 'otpauth';
import { ApiClient } from './api-client.ts';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';

export interface SecondFactor {
  recoveryCodes: string[];
  /**
   * A code that was not used yet. There are two, since a code is also accepted one step too early.
   */
  nextCode: () => string;
  /** The session that turned it on, which is the only one left. */
  client: ApiClient;
}

/** Turns two-factor on for a person, as they would with an app. */
export async function turnOnTwoFactor(host: ReachableHost, { user, password }: Mailbox): Promise<SecondFactor> {
  const client = new ApiClient(host);
  await client.signIn(user.email, password);
  const begin = { password: encodePassword(password), onoff_status: true };
  const { secret } = (await client.call('POST', '/user/verify_password', begin)).body as unknown as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const start = Date.now();
  const codeAt = (steps: number) => totp.generate({ timestamp: start + steps * 30_000 });
  const answer = await client.call('POST', '/user/verify_otp', { otp: codeAt(-1), tfa_status: true });
  const { recovery_codes: recoveryCodes } = answer.body as unknown as { recovery_codes?: string[] };
  if (!recoveryCodes) throw new Error(`two-factor is not on: ${JSON.stringify(answer.body)}`);
  let step = 0;
  return { recoveryCodes, client, nextCode: () => codeAt(step++) };
}
