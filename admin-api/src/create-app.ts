import { endpoints } from '@selvage/core/contracts/registry';
import { AppError } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { log } from '@selvage/core/log';
import { httpSeconds } from '@selvage/core/metrics';
import { withDeadline } from '@selvage/core/with-deadline';
import Koa, { type Context, type Middleware } from 'koa';
import { bindAddresses } from './addresses/routes.ts';
import { bindAuditLog } from './audit-log/routes.ts';
import { bindDashboard } from './dashboard/routes.ts';
import { bindPasskeys } from './auth/passkey-routes.ts';
import { bindAccount } from './account/routes.ts';
import { bindSessions } from './auth/session-routes.ts';
import { SessionEvents } from './auth/session-events.ts';
import { bindLogin } from './auth/login-routes.ts';
import { bindTwoFactor } from './auth/two-factor-routes.ts';
import { bindClientErrors } from './client-errors/routes.ts';
import { bindClients } from './clients/routes.ts';
import { bindDomains } from './domains/routes.ts';
import { bindCompanies } from './companies/routes.ts';
import { archiveDownloads } from './company-archives/download-archive.ts';
import { bindCompanyArchives } from './company-archives/routes.ts';
import { bindEnvironment } from './environment/routes.ts';
import { healthRoutes } from './health/health-routes.ts';
import { errorResponse, pathForLog } from './http/error-response.ts';
import { describeApi } from './http/openapi.ts';
import { requestContext } from './http/request-context.ts';
import { type ApiRouter, assertAllBound, createApiRouter, timedOut } from './http/route.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createWorkQueue, type WorkQueue } from './http/work-queue.ts';
import { bindMailBackups } from './mail-backups/routes.ts';
import { bindMail } from './mail/routes.ts';
import { bindMailRules } from './mail-rules/routes.ts';
import { uploadRoutes } from './mail/upload-routes.ts';
import { avatarRoutes } from './profile/avatar-routes.ts';
import { bindPostalCode } from './postal-code/routes.ts';
import { bindModules } from './modules/routes.ts';
import { bindPermissions } from './permissions/routes.ts';
import { bindQueue } from './queue/routes.ts';
import { refusalPages } from './refusals/refusal-pages.ts';
import { bindRoles } from './roles/routes.ts';
import { bindSignatures } from './signatures/routes.ts';
import { servePublicSite } from './static/serve-public-site.ts';
import { serveWebmail } from './static/serve-webmail.ts';
import { tellWebVersion, watchWebVersion, type WebVersion } from './static/web-version.ts';
import { webmailRoot } from './static/webmail-root.ts';
import { bindTrace } from './trace/routes.ts';
import { bindUsers } from './users/routes.ts';
import { wellKnownRoutes } from './well-known/routes.ts';

/** Parts that the process shares, besides the App. */
export interface AppOptions {
  sessionEvents?: SessionEvents;
  work?: WorkQueue;
  /** Folder of the built web app. */
  webRoot?: string;
  webVersion?: WebVersion;
}

/** Builds the HTTP side of a host. The caller opens the port. */
export function createApp(app: App, options: AppOptions = {}): Koa {
  const { webRoot = webmailRoot, webVersion = watchWebVersion(webRoot) } = options;
  const koa = new Koa();
  koa.on('error', (error: unknown) => log.warn('connection failed', { error }));
  koa.use(requestContext(app));
  koa.use(securityHeaders(app.config, webRoot));
  koa.use(tellWebVersion(webVersion));
  koa.use(measureRequest);
  koa.use(errorResponse);
  koa.use(healthRoutes(app));
  koa.use(wellKnownRoutes(app));
  koa.use(refusalPages(app));
  const router = bindAll(app, options);
  koa.use(router.koaRouter.routes());
  koa.use(refuseMethods);
  koa.use(router.koaRouter.allowedMethods());
  koa.use(limitUploadPaths(app.config.requestTimeoutSeconds * 1000));
  koa.use(avatarRoutes());
  koa.use(uploadRoutes(app));
  koa.use(archiveDownloads(app));
  if (app.config.publicSite) koa.use(servePublicSite(app.config.publicSite, webRoot));
  koa.use(serveWebmail(webRoot));
  return koa;
}

function bindAll(app: App, options: AppOptions): ApiRouter {
  const { sessionEvents = new SessionEvents(), work = createWorkQueue(app.config) } = options;
  const router = createApiRouter(app, work);
  bindLogin(router);
  bindTwoFactor(router, sessionEvents);
  bindPasskeys(router);
  bindSessions(router, sessionEvents);
  bindAccount(router, sessionEvents);
  bindSignatures(router);
  bindUsers(router, sessionEvents);
  // Before the calls with an id, which would match "backup" as an id
  bindMailBackups(router);
  bindMail(router);
  bindMailRules(router);
  bindClients(router, sessionEvents);
  bindCompanies(router, sessionEvents);
  bindCompanyArchives(router);
  bindPostalCode(router);
  bindAuditLog(router);
  bindTrace(router);
  bindQueue(router);
  bindDashboard(router);
  bindAddresses(router);
  bindDomains(router);
  bindRoles(router, sessionEvents);
  bindPermissions(router);
  bindModules(router);
  bindEnvironment(router);
  bindClientErrors(router);
  assertAllBound(router, endpoints);
  // A Buffer, since a string would be encoded again for each answer
  const description = Buffer.from(JSON.stringify(describeApi(endpoints)));
  router.koaRouter.get('/openapi.json', (koa: Context) => {
    koa.type = 'application/json';
    koa.body = description;
  });
  return router;
}

/**
 * Limits how long the files under `/upload` may take to be found and read, as for calls of the API.
 * Sending them may take longer.
 */
function limitUploadPaths(limitMs: number): Middleware {
  return async (koa, next) => {
    if (!koa.path.startsWith('/upload/')) return await next();
    await withDeadline(next(), limitMs, () => timedOut(koa));
  };
}

/**
 * Answers 405 and 501 with an envelope. The router sets `Allow` to the methods of the path (RFC
 * 9110 15.5.6).
 */
const refuseMethods: Middleware = async (koa, next) => {
  await next();
  if (koa.body == null && (koa.status === 405 || koa.status === 501)) throw methodNotAllowed();
};

function methodNotAllowed(): Error {
  return new AppError({
    status: 405,
    code: 'method_not_allowed',
    publicText: 'This path does not support that method.',
  });
}

/**
 * Measures each request. It runs before all that may refuse a request, so that refused ones count
 * as well.
 */
const measureRequest: Middleware = async (koa, next) => {
  const start = performance.now();
  await next();
  const milliseconds = performance.now() - start;
  const labels = { method: koa.method, route: String(koa['_matchedRoute'] ?? 'other'), status: String(koa.status) };
  httpSeconds.observe(labels, milliseconds / 1000);
  log.debug('request answered', { ...labels, path: pathForLog(koa.path), milliseconds: Math.round(milliseconds) });
};
