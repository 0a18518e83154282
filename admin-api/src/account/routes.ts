import { networkOf } from '@selvage/core/access/network-of';
import * as contracts from '@selvage/core/contracts/account';
import { saveChoices } from '@selvage/core/contracts/choices';
import * as forwarding from '@selvage/core/contracts/forwarding';
import { readMailAccess } from '@selvage/core/contracts/mail-access';
import type { Ctx } from '@selvage/core/context/context';
import { AppError } from '@selvage/core/errors';
import type { SessionEvents } from '../auth/session-events.ts';
import { countAttempt } from '../auth/throttle.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { listOwnActivity } from './activity.ts';
import { addAppPassword, listOwnAppPasswords, removeOwnAppPassword } from './app-passwords.ts';
import { saveOwnChoices } from './choices.ts';
import { changeOwnPassword } from './change-password.ts';
import {
  agreeToForwarding,
  changeForwarding,
  changeForwardingScope,
  endOwnForwarding,
  mailForwardingLinkAgain,
} from './forwarding.ts';
import { takeLinkRequest } from './forgot-password.ts';
import { readOwnMailAccess } from './mail-access.ts';
import { changeRecoveryEmail, confirmRecoveryAddress, mailConfirmationAgain } from './recovery-email.ts';
import { rules } from './rate-limits.ts';
import { ownerOfLink, setPasswordByLink } from './set-password.ts';

/**
 * Counts a call whose link is not valid. The others are not counted: a caller with a true link has
 * no need to guess, and must not be shut out by strangers in the same network.
 */
async function countInvalidLinks<T>(ctx: Ctx, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError && error.code === 'link_invalid') {
      await countAttempt(ctx.app, rules.link, networkOf(ctx.address));
    }
    throw error;
  }
}

/**
 * Binds the calls about the caller's account: passwords, the recovery address, forwarding
 * and recent activity.
 */
export function bindAccount(router: ApiRouter, sessionEvents: SessionEvents): void {
  bindPasswords(router, sessionEvents);
  bindRecoveryEmail(router);
  bindForwarding(router);
  bindAppPasswords(router);
  route(router, saveChoices, (ctx, { body }) => saveOwnChoices(signedIn(ctx), body), { message: 'Saved' });
  route(router, contracts.listActivity, (ctx, { query }) => listOwnActivity(signedIn(ctx), query));
  route(router, readMailAccess, (ctx) => readOwnMailAccess(signedIn(ctx)));
}

function bindPasswords(router: ApiRouter, sessionEvents: SessionEvents): void {
  const tell = (ended: string[]): void => sessionEvents.tellEnded(ended);
  route(router, contracts.changePassword, async (ctx, { body }) => tell(await changeOwnPassword(signedIn(ctx), body)), {
    message: 'Password changed successfully',
  });
  route(router, contracts.forgotPassword, (ctx, { body, koa }) => takeLinkRequest(ctx, koa, body), {
    message: 'If this account has a confirmed recovery email, a link is on its way to it.',
  });
  route(router, contracts.checkPasswordLink, async (ctx, { body }) => ({
    email: (await countInvalidLinks(ctx, () => ownerOfLink(ctx, body.token))).email,
  }));
  route(
    router,
    contracts.setPassword,
    async (ctx, { body }) =>
      tell(await countInvalidLinks(ctx, () => setPasswordByLink(ctx, body.token, body.new_password))),
    { message: 'Your password was set. Please log in with it.' },
  );
}

function bindRecoveryEmail(router: ApiRouter): void {
  route(router, contracts.setRecoveryEmail, (ctx, { body, koa }) => changeRecoveryEmail(signedIn(ctx), koa, body), {
    message: 'Recovery email saved',
  });
  route(router, contracts.resendRecoveryLink, (ctx) => mailConfirmationAgain(signedIn(ctx)), {
    message: 'The link is on its way',
  });
  route(
    router,
    contracts.confirmRecoveryEmail,
    async (ctx, { body }) => ({
      recovery_email: await countInvalidLinks(ctx, () => confirmRecoveryAddress(ctx, body.token)),
    }),
    { message: 'Recovery email confirmed' },
  );
}

function bindForwarding(router: ApiRouter): void {
  route(router, forwarding.setForwarding, (ctx, { body }) => changeForwarding(signedIn(ctx), body), {
    message: 'Forwarding saved',
  });
  route(
    router,
    forwarding.setForwardingScope,
    (ctx, { body }) => changeForwardingScope(signedIn(ctx), body.forward_filtered),
    { message: 'Forwarding saved' },
  );
  route(router, forwarding.stopForwarding, (ctx) => endOwnForwarding(signedIn(ctx)), {
    message: 'Your mail is no longer forwarded',
  });
  route(router, forwarding.resendForwardingLink, (ctx) => mailForwardingLinkAgain(signedIn(ctx)), {
    message: 'The link is on its way',
  });
  route(
    router,
    forwarding.confirmForwarding,
    (ctx, { body }) => countInvalidLinks(ctx, () => agreeToForwarding(ctx, body.token)),
    { message: 'Forwarding confirmed' },
  );
}

function bindAppPasswords(router: ApiRouter): void {
  route(router, contracts.listAppPasswords, (ctx) => listOwnAppPasswords(signedIn(ctx)));
  route(router, contracts.createAppPassword, (ctx, { body, koa }) => addAppPassword(signedIn(ctx), koa, body), {
    message: 'App password created',
  });
  route(router, contracts.removeAppPassword, (ctx, { params }) => removeOwnAppPassword(signedIn(ctx), params.id), {
    message: 'App password removed',
  });
}
