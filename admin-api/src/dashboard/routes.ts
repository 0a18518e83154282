import { getGrowth, getMailDay } from '@selvage/core/contracts/dashboard';
import { getLedgerProof } from '@selvage/core/contracts/ledger-proof';
import { getHostHealth, getRefusedSignIns, getStorageUse } from '@selvage/core/contracts/morning';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { readGrowth } from './growth.ts';
import { readHostHealth } from './host-health.ts';
import { readLedgerProof } from './ledger-proof.ts';
import { MailDays } from './mail-days.ts';
import { findRefusedSignIns, readStorageUse } from './morning.ts';

/** Binds the calls of the home page. */
export function bindDashboard(router: ApiRouter): void {
  route(router, getGrowth, (ctx, { query }) => readGrowth(signedIn(ctx), query));
  const mailDays = new MailDays();
  route(router, getMailDay, (ctx) => mailDays.read(signedIn(ctx)));
  route(router, getLedgerProof, (ctx) => readLedgerProof(signedIn(ctx)));
  route(router, getStorageUse, (ctx) => readStorageUse(signedIn(ctx)));
  route(router, getRefusedSignIns, (ctx) => findRefusedSignIns(signedIn(ctx)));
  route(router, getHostHealth, (ctx) => readHostHealth(signedIn(ctx)));
}
