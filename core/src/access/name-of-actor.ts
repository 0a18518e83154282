import type { TxCtx } from '../context/context.ts';
import { nameOrAddress } from '../contracts/full-name.ts';
import { User } from '../models/user.ts';

/** What the actor is called, for a record that keeps it; empty when the actor is no person. */
export async function nameOfActor(tx: TxCtx): Promise<string> {
  const actor = tx.actor && (await User.findByPk(tx.actor.userId, { transaction: tx.tx }));
  return actor ? nameOrAddress(actor) : '';
}
