import * as contracts from '@selvage/core/contracts/domains';
import { checkDns } from '@selvage/core/contracts/domain-check';
import { listDomainChanges, listDomainHealth, tryRecord } from '@selvage/core/contracts/domain-guard';
import { getSetupGuide } from '@selvage/core/contracts/setup-guide';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { checkDnsOf, compareRecordsOf } from './check-dns.ts';
import * as domains from './domains.ts';
import { findDomainChanges, findDomainHealth, removeDkimKey } from './guardian.ts';
import { readSetupGuide } from './setup-guide.ts';
import { openDkim } from './open-dkim.ts';
import { tryRecords } from './what-if.ts';

/** Binds the calls about domains. */
export function bindDomains(router: ApiRouter): void {
  route(router, contracts.listDomains, (ctx, { query }) => domains.findDomains(signedIn(ctx), query));
  route(router, contracts.getDomain, (ctx, { params }) => domains.readDomain(signedIn(ctx), params.id));
  route(router, contracts.createDomain, (ctx, { body }) => domains.addDomain(signedIn(ctx), body), {
    message: 'Domain created successfully',
  });
  route(
    router,
    contracts.updateDomain,
    (ctx, { params, body }) => domains.changeDomain(signedIn(ctx), params.id, body),
    { message: 'Domain updated successfully' },
  );
  route(router, contracts.verifyDomain, (ctx, { params }) => domains.verifyDomain(signedIn(ctx), params.id), {
    message: 'The domain is verified',
  });
  route(router, contracts.vouchForDomain, (ctx, { params }) => domains.vouchForDomain(signedIn(ctx), params.id), {
    message: 'The domain is verified',
  });
  route(router, getSetupGuide, (ctx, { query }) => readSetupGuide(signedIn(ctx), query.domain_id));
  route(router, checkDns, (ctx, { body }) => checkDnsOf(signedIn(ctx), body));
  route(router, contracts.generateOpenDkim, (ctx, { body }) => openDkim(signedIn(ctx), body));
  route(router, contracts.compareDomainRecords, (ctx, { params }) => compareRecordsOf(signedIn(ctx), params.id));
  bindGuardian(router);
  bindRemoval(router);
}

function bindGuardian(router: ApiRouter): void {
  route(router, listDomainHealth, (ctx, { query }) => findDomainHealth(signedIn(ctx), query));
  route(router, listDomainChanges, (ctx, { params, query }) => findDomainChanges(signedIn(ctx), params.id, query));
  route(router, tryRecord, (ctx, { body }) => tryRecords(signedIn(ctx), body));
  route(
    router,
    contracts.removeDkimKey,
    (ctx, { params }) => removeDkimKey(signedIn(ctx), params.id, params.selector),
    { message: 'Key deleted' },
  );
}

function bindRemoval(router: ApiRouter): void {
  route(
    router,
    contracts.removeDomain,
    (ctx, { params, query, body }) =>
      domains.removeDomain(signedIn(ctx), params.id, query.dns_id || body.dns_id || null),
    { message: 'Domain deleted' },
  );
  route(router, contracts.restoreDomain, (ctx, { params }) => domains.restoreDomain(signedIn(ctx), params.id), {
    message: 'Domain restored',
  });
  route(router, contracts.eraseDomain, (ctx, { params }) => domains.eraseDomain(signedIn(ctx), params.id), {
    message: 'Domain permanently deleted',
  });
}
