import { matchRoutes, type Params } from 'react-router-dom';
import { auditLogPages } from '../features/audit-log/pages.ts';
import { authPages, forcedPasswordPage } from '../features/auth/pages.ts';
import { backupPages } from '../features/backups/pages.ts';
import { clientPages } from '../features/clients/pages.ts';
import { companyPages } from '../features/companies/pages.ts';
import { domainPages } from '../features/domains/pages.ts';
import { groupPages } from '../features/groups/pages.ts';
import { homePages } from '../features/home/pages.ts';
import { mailHost } from '../features/mail/hosts.ts';
import { mailPages } from '../features/mail/pages.ts';
import { modulePages } from '../features/modules/pages.ts';
import { onboardingPages } from '../features/onboarding/pages.ts';
import { permissionPages } from '../features/permissions/pages.ts';
import { profilePages } from '../features/profile/pages.ts';
import { rolePages } from '../features/roles/pages.ts';
import { forcedTwoFactorPage, settingsPages } from '../features/settings/pages.ts';
import { tracePages } from '../features/trace/pages.ts';
import { userPages } from '../features/users/pages.ts';
import type { Page } from '../lib/page.ts';

/**
 * Every screen of the app. Of a feature, only its pages, its hosts and the path of the search are
 * imported here.
 */
export const pages: readonly Page[] = [
  ...authPages,
  ...onboardingPages,
  ...homePages,
  ...mailPages,
  ...backupPages,
  ...profilePages,
  ...settingsPages,
  ...clientPages,
  ...companyPages,
  ...domainPages,
  ...userPages,
  ...groupPages,
  ...tracePages,
  ...auditLogPages,
  ...rolePages,
  ...permissionPages,
  ...modulePages,
];

export { forcedPasswordPage, forcedTwoFactorPage };

/**
 * Parts of features that are rendered beside the pages and outlive them, such as the messages being
 * written.
 */
export const hosts = [mailHost];

export interface PageMatch {
  page: Page;
  params: Params;
}

const routes = routesOf(pages);

/**
 * The page at an address. As in the router, fixed paths win over those with a record's id,
 * whichever of them is listed first.
 */
export function pageAt(pathname: string, among = routes): PageMatch | null {
  const match = matchRoutes(among, pathname)?.at(-1);
  return match ? { page: match.route.handle, params: match.params } : null;
}

/** Pages in the form in which the router ranks them. */
export function routesOf(list: readonly Page[]) {
  return list.map((page) => ({ path: page.path, handle: page }));
}
