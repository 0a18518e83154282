import type { Ctx } from '@selvage/core/context/context';
import type { Context } from 'koa';
import type { ShownBody } from './body-html.ts';
import { remoteImage } from './remote-image.ts';

const style = `html{color-scheme:light;background:#fff}
body{margin:16px;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:#1b1b1b;overflow-wrap:anywhere}
img{max-width:100%}img:not([width]){height:auto}td,th{overflow-wrap:break-word}pre{white-space:pre-wrap}
summary{cursor:pointer;width:max-content;padding:2px 10px;margin:8px 0;border-radius:10px;background:#eceef4;color:#33384a;font-size:13px}
blockquote{margin:.5em 0;padding-left:.8em;border-left:2px solid #c8c8c8;color:#555}a{color:#0b5cad}
.plain>*{max-width:62ch}.plain div{unicode-bidi:plaintext}`;

interface FramedText extends Pick<ShownBody, 'html' | 'sheet' | 'look'> {
  /** The path at which this server passes on the remote pictures of the text. */
  imagesPath: string;
}

/** The text of a message as a page, with its remote pictures if the reader asks for them. */
export function pageOf(koa: Context, { html, sheet, look, imagesPath }: FramedText): Buffer {
  const showsRemote = koa.query['images'] === '1';
  return Buffer.from(`<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<base target="_blank"><title>Message</title><style>${style}</style><style>${sheet}</style></head><body dir="auto" class="${look}">${showsRemote ? showRemote(html, imagesPath) : html}</body></html>`);
}

/**
 * Answers with the page of a message, without scripts, in an opaque origin, and without remote
 * content unless the page has it from this server (D20).
 */
export function answerFrame(ctx: Ctx, koa: Context, page: Buffer): void {
  koa.set('Content-Security-Policy', framePolicy(ctx, koa));
  koa.set('X-Frame-Options', 'SAMEORIGIN');
  koa.set('Referrer-Policy', 'no-referrer');
  koa.set('Cache-Control', 'private, no-store');
  koa.type = 'text/html; charset=utf-8';
  koa.body = page;
}

function framePolicy(ctx: Ctx, koa: Context): string {
  // The origin of the page is opaque, so 'self' does not cover the pictures of this host
  const own = [new URL(ctx.app.config.url).origin];
  if (/^[\w.-]+(:\d+)?$/.test(koa.host)) own.push(`http://${koa.host}`, `https://${koa.host}`);
  const images = ["'self'", ...own, 'data:'];
  return [
    "default-src 'none'",
    `img-src ${[...new Set(images)].join(' ')}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** Gives remote pictures a `src`. */
function showRemote(html: string, imagesPath: string): string {
  return html.replace(remoteImage, (_all, tag: string, url: string) => {
    const asked = encodeURIComponent(url.replaceAll('&amp;', '&'));
    return `${tag} src="${imagesPath}?url=${asked}"`;
  });
}
