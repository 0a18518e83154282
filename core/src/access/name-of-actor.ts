import type { TxCtx } from '../context/context.ts';
import { nameOrAddress } from '../contracts/full-name.ts';
import { User } from '../models/user.ts';

/** The name of the actor, for a record that keeps a copy of it; empty when there is no actor. */
export async function nameOfActor(tx: TxCtx): Promise<string> {
  const actor = tx.actor && (await User.findByPk(tx.actor.userId, { transaction: tx.tx }));
  return actor ? nameOrAddress(actor) : '';
}
