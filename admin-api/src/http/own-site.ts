import { forbidden } from '@selvage/core/errors';
import type { Context } from 'koa';

/**
 * Refuses a request that a page of another site makes with a cookie of this host. SameSite prevents
 * most of these, but a sibling host under the same domain counts as the same site. A request
 * without both headers comes from a program, which has no cookie that another site could abuse.
 * @throws 403
 */
export function refuseOtherSites(koa: Context): void {
  const site = koa.get('sec-fetch-site');
  const origin = koa.get('origin');
  const isOwnSite = site === '' || site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === '' || (URL.canParse(origin) && new URL(origin).host === koa.get('host').toLowerCase());
  if (!isOwnSite || !isOwnOrigin) throw forbidden('This request came from another site.', 'cross_site');
}
