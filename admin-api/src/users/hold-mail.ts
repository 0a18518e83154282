import type { TxCtx } from '@selvage/core/context/context';
import { causeOf, enqueueAll } from '@selvage/core/jobs/enqueue';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { User } from '@selvage/core/models/user';

/** Asks for the mail that waits of all people of a company or a domain to be held (D59). */
export async function holdMail(ctx: TxCtx, of: { companyId: string } | { domainId: string }): Promise<void> {
  const people = await User.findAll({ where: { ...of, erasedAt: null }, attributes: ['id'], transaction: ctx.tx });
  const causeId = causeOf(ctx);
  await enqueueAll(
    ctx,
    holdSentMail,
    people.map(({ id }) => ({ payload: { userId: String(id) }, causeId })),
  );
}
