import { recordAccountAudit, recordAudit } from '@selvage/core/access/audit';
import { effectivePermissions } from '@selvage/core/access/effective-permissions';
import { refuseOutranked } from '@selvage/core/access/grant';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { findInScope } from '@selvage/core/access/scope';
import { inTransaction } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { createLink } from '@selvage/core/directory/one-time-links';
import { conflict, invalid } from '@selvage/core/errors';
import { Client } from '@selvage/core/models/client';
import { User } from '@selvage/core/models/user';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';

const mails: Rule = { name: 'client-credentials', limit: 10, windowSeconds: 3600 };

/**
 * Mails the administrator of a client's company a link to set a password, never a password (D6).
 * The mail goes to an address of the client, and its reader can take the account. The caller
 * may have entered that address, so the administrator must not have more rights than the caller
 * (D2).
 * @throws 403 `outranked` or `confirm_first`, 404, 409, 422 for any other address, 429
 */
export async function sendClientCredentials(ctx: SignedIn, id: string, to: string): Promise<void> {
  await countAttempt(ctx.app, mails, id);
  await inTransaction(ctx, async (tx) => {
    const client = await findInScope(tx, Client, id);
    if (client.isDefault)
      throw conflict('Credentials cannot be sent to the client of this host itself.', 'provider_protected');
    const known = [client.personalEmail, client.businessEmail];
    const address = known.find((one) => one.toLowerCase() === to.toLowerCase());
    if (address === undefined) throw invalid({ email: 'Choose the personal or the business email of this client' });
    const companyId = String(client.companyId);
    // The address may belong to a person of another company by now
    const where = { companyId, email: client.businessEmail, erasedAt: null };
    const user = await User.findOne({ where, transaction: tx.tx });
    const account = user && (await findUsableAccount(tx, user));
    if (!account) throw noAdministrator();
    if (!administratorRoles.has(account.role.roleId)) throw noAdministratorAnyMore(client.businessEmail);
    refuseOutranked(tx, await effectivePermissions(tx, user), account.role.roleId);
    await requireConfirmed({ ...ctx, tx: tx.tx });
    const link = await createLink(tx, user, 'set_password', address);
    const text = textFor(client, link, ctx.app.config.url);
    await sendNotice(tx, { companyId, to: address, subject: 'Your mail account', text });
    const details = { to: address };
    await recordAccountAudit(tx, user, 'password:link-mailed', { details, isByOwner: false });
    await recordAudit(tx, { action: 'client:credentials-sent', entity: 'client', entityId: id, companyId, details });
  });
}

const administratorRoles: ReadonlySet<number> = new Set([builtInRole.superAdmin, builtInRole.admin]);

/**
 * The address may have been given to another person of the company. A link for the client's contact
 * must not open that person's mailbox.
 */
function noAdministratorAnyMore(address: string) {
  return conflict(`The person with the address ${address} is not an administrator.`, 'account_not_usable');
}

function noAdministrator() {
  return conflict(
    'The administrator of this client is deleted, inactive or barred from logging in.',
    'account_not_usable',
  );
}

function textFor({ fname, businessEmail }: Client, link: string, url: string): string {
  return [
    `Hello ${fname},`,
    '',
    `your company's mail is hosted at ${url}`,
    '',
    `Log in as ${businessEmail}. With this link you set your password, once and within 24 hours:`,
    '',
    link,
    '',
    'If you did not expect this mail, there is nothing to do.',
    '',
  ].join('\n');
}
