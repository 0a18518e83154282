import * as contracts from '@selvage/core/contracts/companies';
import type { SessionEvents } from '../auth/session-events.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import * as companies from './companies.ts';

/** Binds the calls about companies. */
export function bindCompanies(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(router, contracts.listCompanies, (ctx, { query }) => companies.findCompanies(signedIn(ctx), query));
  route(router, contracts.listAllCompanies, (ctx) => companies.allCompanies(signedIn(ctx)));
  route(router, contracts.getCompany, (ctx, { params }) => companies.readCompany(signedIn(ctx), params.id));
  route(router, contracts.createCompany, (ctx, { body }) => companies.addCompany(signedIn(ctx), body), {
    message: 'Company created successfully',
  });
  route(
    router,
    contracts.updateCompany,
    async (ctx, { params, body }) => {
      const { company, ended } = await companies.changeCompany(signedIn(ctx), params.id, body);
      sessionEvents.tellEnded(ended);
      return company;
    },
    { message: 'Company updated successfully' },
  );
  bindRemoval(router, sessionEvents);
}

function bindRemoval(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(
    router,
    contracts.removeCompany,
    async (ctx, { params }) => {
      const { company, ended } = await companies.removeCompany(signedIn(ctx), params.id);
      sessionEvents.tellEnded(ended);
      return company;
    },
    { message: 'Company deleted' },
  );
  route(router, contracts.restoreCompany, (ctx, { params }) => companies.restoreCompany(signedIn(ctx), params.id), {
    message: 'Company restored',
  });
  route(router, contracts.eraseCompany, (ctx, { params }) => companies.eraseCompany(signedIn(ctx), params.id), {
    message: 'Company permanently deleted',
  });
}
