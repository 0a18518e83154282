import type { z } from 'zod';
import { recordAccountAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import type { VacationDto, vacationForm } from '@selvage/core/contracts/vacation';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import { lockUser } from '@selvage/core/directory/lock-user';
import { stateOfAbsence } from '@selvage/core/mail/vacation-rules';
import type { User } from '@selvage/core/models/user';
import { Vacation } from '@selvage/core/models/vacation';
import { forgetTold } from '@selvage/core/outbound/reply-on-vacation';
import { countOwnChange } from '../account/count-own-change.ts';
import type { SignedIn } from '../http/request-context.ts';

const none: VacationDto = {
  is_on: false,
  subject: '',
  body: '',
  first_day: null,
  last_day: null,
  time_zone: 'UTC',
  only_known: false,
  state: 'off',
  version: 1,
};

function present(vacation: Vacation | null): VacationDto {
  if (vacation === null) return none;
  const { isOn, subject, body, firstDay, lastDay, timeZone, onlyKnown, version } = vacation;
  return {
    is_on: isOn,
    subject,
    body,
    first_day: firstDay,
    last_day: lastDay,
    time_zone: timeZone,
    only_known: onlyKnown,
    state: stateOfAbsence(vacation, new Date()),
    version,
  };
}

/** The automatic reply that the host sends while the caller is away. */
export async function readOwnVacation(ctx: SignedIn): Promise<VacationDto> {
  return present(await Vacation.findOne({ where: { userId: ctx.actor.userId } }));
}

/**
 * Writes the automatic reply, and switches it on or off.
 * @throws 409 when it was changed meanwhile
 */
export async function changeVacation(ctx: SignedIn, form: z.infer<typeof vacationForm>): Promise<VacationDto> {
  await countOwnChange(ctx);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const { is_on: isOn, subject, body, first_day: firstDay, last_day: lastDay, time_zone: timeZone } = form;
    const values = { isOn, subject, body, firstDay, lastDay, timeZone, onlyKnown: form.only_known };
    const owner = { companyId: String(user.companyId), userId: String(user.id) };
    const vacation = (await findOwn(tx, user)) ?? Vacation.build({ ...owner, ...values });
    const changed = await save(tx, vacation, { changes: values, startedFrom: form.version });
    if (isOn && changed.length > 0) await forgetTold(tx, String(user.id));
    await note(tx, user, isOn);
    return present(vacation);
  });
}

/** Switches the automatic reply off. Its text is kept for the next time. */
export async function endVacation(ctx: SignedIn): Promise<VacationDto> {
  await countOwnChange(ctx);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const vacation = await findOwn(tx, user);
    if (vacation) await save(tx, vacation, { changes: { isOn: false }, startedFrom: undefined });
    await note(tx, user, false);
    return present(vacation);
  });
}

/** Saves the reply and raises its version. The caller has locked the person. */
async function save(
  tx: TxCtx,
  vacation: Vacation,
  change: { changes: Partial<Vacation['dataValues']>; startedFrom: number | undefined },
): Promise<string[]> {
  return await saveForm(tx, vacation, {
    ...change,
    fields: {
      isOn: 'is_on',
      subject: 'subject',
      body: 'body',
      firstDay: 'first_day',
      lastDay: 'last_day',
      timeZone: 'time_zone',
      onlyKnown: 'only_known',
    },
    entity: 'vacation',
    action: 'vacation:updated',
    present: () => present(vacation),
  });
}

async function findOwn(tx: TxCtx, user: User): Promise<Vacation | null> {
  return await Vacation.findOne({ where: { userId: String(user.id) }, transaction: tx.tx });
}

/**
 * Stores in the person's row whether the reply is on, since each delivery reads that row anyway.
 */
async function note(tx: TxCtx, user: User, isOn: boolean): Promise<void> {
  if (user.hasVacation === isOn) return;
  await user.update({ hasVacation: isOn }, { transaction: tx.tx });
  await recordAccountAudit(tx, user, isOn ? 'vacation:on' : 'vacation:off');
}
