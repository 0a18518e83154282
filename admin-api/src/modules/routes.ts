import * as contracts from '@selvage/core/contracts/modules';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { addModule, removeModule, findModules, renameModule } from './modules.ts';

/** Binds the calls of modules. */
export function bindModules(router: ApiRouter): void {
  route(router, contracts.listModules, (ctx, { query }) => findModules(signedIn(ctx), query));
  route(router, contracts.createModule, (ctx, { body }) => addModule(signedIn(ctx), body.name), {
    message: 'Module created successfully',
  });
  route(router, contracts.updateModule, (ctx, { params, body }) => renameModule(signedIn(ctx), params.id, body.name), {
    message: 'Module updated successfully',
  });
  route(router, contracts.removeModule, (ctx, { params }) => removeModule(signedIn(ctx), params.id), {
    message: 'Module deleted successfully',
  });
}
