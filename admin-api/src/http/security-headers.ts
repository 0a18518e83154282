import { frameScriptSource } from '@selvage/core/contracts/mail-frame';
import type { Config } from '@selvage/core/process/config';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { watchInlineScripts } from '../static/inline-scripts.ts';
import { isPagePath } from '../static/serve-webmail.ts';

const unusedFeatures = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * Sets the headers of every answer. Pages under /upload/frame, which show mail, replace the content
 * policy with their own.
 * @param webRoot folder of the built web app, whose index page has inline scripts
 */
export function securityHeaders(config: Config, webRoot: string): Middleware {
  const inlineScripts = watchInlineScripts(webRoot);
  const withoutScripts = headersFor(config, []);
  let page = { scripts: [] as readonly string[], apply: withoutScripts };
  return async (koa, next) => {
    koa.set('Permissions-Policy', unusedFeatures);
    if (!isPagePath(koa.path)) return await withoutScripts(koa, next);
    const scripts = await inlineScripts();
    // The frame of a message inherits the policy of the page that contains it (D41)
    if (scripts !== page.scripts) page = { scripts, apply: headersFor(config, [...scripts, frameScriptSource]) };
    await page.apply(koa, next);
  };
}

/** @param scripts sources of the inline scripts that the page may run */
function headersFor(config: Config, scripts: readonly string[]): Middleware {
  const isHttps = config.url.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...scripts],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", 'ws:', 'wss:'],
        'frame-src': ["'self'", 'blob:', 'about:'],
        'manifest-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // A host that is reached over plain HTTP must not be remembered as HTTPS
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
}
