import { AppError } from '@selvage/core/errors';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { reasonOfError, textOfError } from '@selvage/core/outbound/refusal-of-error';
import { newMailId } from '@selvage/core/mail/mail-id';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';

/**
 * The codes of errors that refuse no message. After a timeout the work goes on, and while another
 * call with the same key is under way it is not known yet whether the message is sent. The repeat
 * of a call whose message was taken back offers no other message.
 */
const noRefusals: ReadonlySet<string> = new Set(['timeout', 'still_sending', 'send_undone']);

const ledgers = new WeakMap<App, RefusalLedger>();

/** The refused messages of this process, which it writes to the ledger before it ends. */
export function refusalsOf(app: App): RefusalLedger {
  const ledger = ledgers.get(app) ?? new RefusalLedger(() => ({ app }));
  ledgers.set(app, ledger);
  return ledger;
}

/**
 * Writes to the ledger that a message which a person wrote in the web app was refused. It notes one
 * row for each recipient that the call names, and one without a recipient when there are none or
 * too many.
 */
export function noteRefused(ctx: Ctx, error: unknown, fields: unknown): void {
  const { app, actor } = ctx;
  if (!actor || (error instanceof AppError && noRefusals.has(error.code))) return;
  const lastReply = error instanceof AppError ? `${error.status} ${textOfError(error)}` : '500';
  const refusal = {
    source: `user:${actor.userId}`,
    companyId: actor.companyId,
    mailId: newMailId(),
    direction: 'out',
    envelopeFrom: actor.email,
    reason: reasonOfError(error),
    lastReply,
    remoteHost: ctx.address,
  } as const;
  for (const recipient of recipientsIn(fields, app.config.maxRecipients)) {
    refusalsOf(app).note({ ...refusal, recipient });
  }
}

/**
 * The recipients that a refused call names. The fields are unchecked, so they may have any type.
 */
function recipientsIn(fields: unknown, most: number): readonly string[] {
  const { recipient_emails_to: to, recipient_emails_cc: cc, recipient_emails_bcc: bcc } = Object(fields);
  const named = [to, cc, bcc].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  const recipients = [...new Set(named.slice(0, most + 1))];
  return recipients.length === 0 || named.length > most ? [''] : recipients;
}
