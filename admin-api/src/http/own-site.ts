import { forbidden } from '@selvage/core/errors';
import type { Context } from 'koa';

/**
 * Refuses a request that the page of another site makes with a cookie of this host. SameSite keeps
 * browsers from sending it, except that a sibling under the same domain counts as the same site. A
 * request without either header comes from a program, which has no cookie to be abused.
 * @throws 403
 */
export function refuseOtherSites(koa: Context): void {
  const site = koa.get('sec-fetch-site');
  const origin = koa.get('origin');
  const isOwnSite = site === '' || site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === '' || (URL.canParse(origin) && new URL(origin).host === koa.get('host').toLowerCase());
  if (!isOwnSite || !isOwnOrigin) throw forbidden('This request came from another site.', 'cross_site');
}
