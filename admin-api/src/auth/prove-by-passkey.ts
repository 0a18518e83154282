import { recordAccountAudit } from '@selvage/core/access/audit';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { User } from '@selvage/core/models/user';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { redeemPasskey, type PasskeyAnswer } from './passkeys.ts';
import { attemptFactor, type Prover } from './second-factor.ts';

/**
 * Checks the answer of a passkey, within the limits on guessing. The owner is told of a copy.
 * @returns whether the device has checked the person as well
 * @throws 401 (a waiting login) or 422 (a logged-in person) when it is wrong, 429
 */
export async function proveByPasskey(ctx: Ctx, prover: Prover, answer: PasskeyAnswer): Promise<boolean> {
  const wrongText = 'The passkey was not accepted. Please try again.';
  const attempt = { isShort: false, wrongText, refused: 'passkey:refused', field: 'response' } as const;
  let isVerified = false;
  await attemptFactor(ctx, prover, attempt, async () => {
    const verdict = await redeemPasskey(ctx.app, prover.user, answer);
    if (verdict === 'copied') await reportCopy(ctx, prover.user);
    isVerified = verdict === 'verified';
    return isVerified || verdict === 'right';
  });
  return isVerified;
}

async function reportCopy(ctx: Ctx, user: User): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await recordAccountAudit(inside, user, 'passkey:copied', { isByOwner: false });
    const happened = 'One of your passkeys was refused because it seems to be a copy. Remove it from your account.';
    await tellOwner(inside, user, 'A passkey was refused', happened);
  });
}
