import { buffer } from 'node:stream/consumers';
import { Router } from '@koa/router';
import { avatarPath } from '@selvage/core/models/avatar-path';
import { notFound } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import type { Ctx } from '@selvage/core/context/context';
import type { Middleware } from 'koa';
import { contextOf } from '../http/request-context.ts';

/**
 * Serves avatars under the hash of their bytes. Pages show them without a token, so any caller that
 * knows the address sees the picture. The address can't be guessed, and works only while a person
 * uses the picture.
 */
export function avatarRoutes(): Middleware {
  const router = new Router({ prefix: '/upload' });
  router.get('/avatars/:file', async (koa) => {
    const key = /^([0-9a-f]{64})\.webp$/.exec(koa.params['file'] ?? '')?.[1];
    const wearer = key && (await User.findOne({ where: { avatar: avatarPath(key) }, attributes: ['id'] }));
    if (!key || !wearer) throw notFound('file');
    const content = await readPicture(contextOf(koa), key);
    koa.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    koa.set('X-Content-Type-Options', 'nosniff');
    koa.set('Cache-Control', 'public, max-age=31536000, immutable');
    koa.set('Content-Disposition', 'inline');
    koa.body = content;
    // Koa sets a type when the body is set, so this must come after
    koa.set('Content-Type', 'image/webp');
  });
  return router.routes() as Middleware;
}

async function readPicture(ctx: Ctx, key: string): Promise<Buffer> {
  try {
    return await buffer(ctx.app.blobs.get(key));
  } catch (error) {
    // The picture was removed a moment ago
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('file');
    throw error;
  }
}
