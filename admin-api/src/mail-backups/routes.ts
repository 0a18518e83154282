import * as contracts from '@selvage/core/contracts/mail-backups';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { giveBackup } from './give-backup.ts';
import { findBackups, findProgress, findReaders, removeBackup } from './find-backups.ts';
import { openMailbox, openMessage } from './read-backup.ts';

/** Binds the calls of backups: copies of a person's mail that another person reads (D24). */
export function bindMailBackups(router: ApiRouter): void {
  route(router, contracts.giveBackup, (ctx, { body }) => giveBackup(signedIn(ctx), body), {
    message: 'The backup is being made',
  });
  route(router, contracts.getBackupProgress, (ctx, { params }) => findProgress(signedIn(ctx), params.id));
  route(router, contracts.listBackups, (ctx, { query }) => {
    const { user_email } = query;
    return user_email === undefined
      ? findBackups(signedIn(ctx), query)
      : openMailbox(signedIn(ctx), { ...query, user_email });
  });
  route(router, contracts.getBackupEmail, (ctx, { koa, params }) => openMessage(signedIn(ctx), koa, params.id));
  route(router, contracts.removeBackup, (ctx, { body }) => removeBackup(signedIn(ctx), body), {
    message: 'Backup deleted',
  });
  route(router, contracts.listBackupReaders, (ctx) => findReaders(signedIn(ctx)));
}
