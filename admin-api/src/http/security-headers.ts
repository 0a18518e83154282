import type { Config } from '@selvage/core/process/config';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';

const unusedFeatures = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']
  .map((name) => `${name}=()`)
  .join(', ');

/** Headers of every answer. Mail is shown by pages under /upload/frame, which replace the content policy with their own. */
export function securityHeaders(config: Config): Middleware {
  const isHttps = config.url.startsWith('https:');
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
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
    // a name that is reached over plain http must not be remembered as https
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
  return async (koa, next) => {
    koa.set('Permissions-Policy', unusedFeatures);
    await apply(koa, next);
  };
}
