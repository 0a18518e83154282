import * as contracts from '@selvage/core/contracts/environment';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { askRestart, readRestart } from './restart.ts';
import { addVariable, changeVariable, removeVariable, findVariables, readSecret } from './variables.ts';

/** Binds the calls about the list of variables and the restart of the host. */
export function bindEnvironment(router: ApiRouter): void {
  route(router, contracts.listEnvironment, (ctx) => findVariables(signedIn(ctx)));
  route(router, contracts.createVariable, (ctx, { body }) => addVariable(signedIn(ctx), body), {
    message: 'Variable created successfully',
  });
  route(router, contracts.updateVariable, (ctx, { body }) => changeVariable(signedIn(ctx), body), {
    message: 'Variable updated successfully',
  });
  route(router, contracts.removeVariable, (ctx, { params }) => removeVariable(signedIn(ctx), params.key), {
    message: 'Variable deleted successfully',
  });
  route(router, contracts.revealVariable, (ctx, { body }) => readSecret(signedIn(ctx), body));
  route(router, contracts.restartHost, (ctx) => askRestart(signedIn(ctx)), {
    message: 'The host is being restarted',
  });
  route(router, contracts.getRestart, (ctx) => readRestart(signedIn(ctx)));
}
