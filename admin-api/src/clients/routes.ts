import * as contracts from '@selvage/core/contracts/clients';
import type { SessionEvents } from '../auth/session-events.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import * as clients from './clients.ts';
import { sendClientCredentials } from './send-credentials.ts';

/** Binds the calls about clients. */
export function bindClients(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(router, contracts.listClients, (ctx, { query }) => clients.findClients(signedIn(ctx), query));
  route(router, contracts.getClient, (ctx, { params }) => clients.readClient(signedIn(ctx), params.id));
  route(router, contracts.createClient, (ctx, { body }) => clients.addClient(signedIn(ctx), body), {
    message: 'Client created successfully',
  });
  route(
    router,
    contracts.updateClient,
    async (ctx, { params, body }) => {
      const { client, ended } = await clients.changeClient(signedIn(ctx), params.id, body);
      sessionEvents.tellEnded(ended);
      return client;
    },
    { message: 'Client updated successfully' },
  );
  route(
    router,
    contracts.sendCredentials,
    (ctx, { params, body }) => sendClientCredentials(signedIn(ctx), params.id, body.email),
    { message: 'Credentials sent successfully!' },
  );
  bindRemoval(router, sessionEvents);
}

function bindRemoval(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(
    router,
    contracts.removeClient,
    async (ctx, { params }) => {
      const { client, ended } = await clients.removeClient(signedIn(ctx), params.id);
      sessionEvents.tellEnded(ended);
      return client;
    },
    { message: 'Client deleted (soft) successfully' },
  );
  route(router, contracts.restoreClient, (ctx, { params }) => clients.restoreClient(signedIn(ctx), params.id), {
    message: 'Client restored successfully',
  });
  route(router, contracts.eraseClient, (ctx, { params }) => clients.eraseClient(signedIn(ctx), params.id), {
    message: 'Client permanently deleted',
  });
}
