import * as contracts from '@selvage/core/contracts/company-archives';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { askArchive, removeArchive, findArchives, linkToArchive } from './archives.ts';

/** Binds the calls of archives: everything of a company in a file (D66). */
export function bindCompanyArchives(router: ApiRouter): void {
  route(router, contracts.listArchives, (ctx, { params }) => findArchives(signedIn(ctx), params.id));
  route(router, contracts.makeArchive, (ctx, { params }) => askArchive(signedIn(ctx), params.id), {
    message: 'The archive is being made',
  });
  route(router, contracts.linkArchive, (ctx, { params, body }) => linkToArchive(signedIn(ctx), params.id, body));
  route(
    router,
    contracts.removeArchive,
    (ctx, { params, body }) => removeArchive(signedIn(ctx), params.id, body.archive_id),
    { message: 'Archive deleted' },
  );
}
