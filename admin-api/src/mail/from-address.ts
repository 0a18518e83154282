import type { Ctx } from '@selvage/core/context/context';
import { isOwnAddress } from '@selvage/core/directory/own-address';
import { invalid } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { User } from '@selvage/core/models/user';

/**
 * The address for From: the sender's mailbox unless they chose one of their aliases.
 * @throws 422 at `from` for any other address, and for an alias that was taken away meanwhile
 */
export async function readFrom(ctx: Ctx, user: User, chosen: string | undefined): Promise<string> {
  if (chosen === undefined) return user.email;
  const address = normaliseAddress(chosen);
  if (address !== null && (await isOwnAddress(ctx, user, address))) return address;
  throw invalid({ from: `You can’t send from ${chosen}. Choose another address in From.` });
}
