import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { bodyOffset } from '../mail/crlf.ts';
import { endForwardingToOther, hasSameOwner } from './end-forwarding.ts';

/**
 * Says whether a copy may leave: the owner of the mailbox still forwards mail to the address, and
 * the address still has the owner who agreed. Where it has another owner, this ends the forwarding
 * and tells the owner of the mailbox.
 */
export async function checkForwarding(ctx: Ctx, mailbox: string, forwardTo: string): Promise<boolean> {
  const [row] = await readRows<{ id: string; forwardAddressId: string | null }>(
    ctx,
    `SELECT u.id, u.forward_address_id AS forwardAddressId FROM users u JOIN companies c ON c.id = u.company_id
      WHERE u.email = ? AND u.forward_to = ? AND u.forward_confirmed_at IS NOT NULL
        AND u.deleted_at IS NULL AND c.deleted_at IS NULL`,
    [mailbox, forwardTo],
  );
  if (!row) return false;
  if (await hasSameOwner(ctx, { forwardTo, forwardAddressId: row.forwardAddressId })) return true;
  await endForwardingToOther(ctx, String(row.id));
  return false;
}

/** More forwarding mailboxes than a legitimate message passes (D35). */
const mostHops = 10;

/**
 * Whether this mailbox, or ten mailboxes, have forwarded a message before. Then a further copy
 * would loop for ever. Each forwarding host names the mailbox in Delivered-To (RFC 9228).
 * @param raw the message, without the header lines that this host adds
 */
export function isForwardingLoop(raw: Buffer, mailbox: string): boolean {
  const header = raw.subarray(0, bodyOffset(raw)).toString('latin1');
  const unfolded = header.replaceAll(/\r\n[ \t]+/g, ' ');
  const named = [...unfolded.matchAll(/^delivered-to:(.*)$/gim)].map(([, value = '']) =>
    normaliseAddress(value.trim()),
  );
  return named.length >= mostHops || named.includes(mailbox);
}

/**
 * The host's header lines for a copy that a mailbox forwards. Only the final delivery adds
 * Return-Path (RFC 5321 4.4), so it is removed.
 */
export function forwardedTrace(traceHeaders: string, mailbox: string): string {
  const trace = traceHeaders.replace(/^Return-Path:[^\r\n]*\r\n/im, '');
  // The client's HELO may contain other bytes, and not every server accepts them
  return `Delivered-To: ${mailbox}\r\n${trace.replaceAll(/[^\r\n\t -~]/g, '?')}`;
}

/**
 * Whether a person of this host, or the host itself, has sent a message. Only then is a copy
 * signed: a stranger may have written an address of this host into From.
 */
export async function wasSentHere(ctx: Ctx, messageId: string): Promise<boolean> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM deliveries FORCE INDEX (deliveries_message)
      WHERE message_id = ? AND direction = 'out' AND forwarded_for IS NULL LIMIT 1`,
    [messageId],
  );
  return rows.length > 0;
}
