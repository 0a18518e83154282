import { getGrowth, getMailDay } from '@selvage/core/contracts/dashboard';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { readGrowth } from './growth.ts';
import { MailDays } from './mail-days.ts';

/** Binds the calls of the home page. */
export function bindDashboard(router: ApiRouter): void {
  route(router, getGrowth, (ctx, { query }) => readGrowth(signedIn(ctx), query));
  const mailDays = new MailDays();
  route(router, getMailDay, (ctx) => mailDays.read(signedIn(ctx)));
}
