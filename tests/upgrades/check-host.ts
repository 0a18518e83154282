import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { blobFolders } from '@selvage/core/mailstore/blob-store';
import { compareFolder } from '@selvage/core/mailstore/compare-blobs';
import { checkContents } from '@selvage/core/mailstore/check-contents';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { User } from '@selvage/core/models/user';

const ever = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z') };

/** Says in words what is wrong with a host: its counts, its ledger, and its blobs. */
export async function findFaults(app: App): Promise<string[]> {
  const ctx = systemContext(app);
  const faults: string[] = [];
  for (const { id, email } of await User.findAll({ attributes: ['id', 'email'] })) {
    if (!(await verifyTotals(ctx, String(id)))) faults.push(`the totals of ${email} are not what a count gives`);
  }
  const { problems } = await checkLedger(ctx, ever);
  faults.push(...problems.map(({ what, count }) => `the ledger has ${count} ${what}`));
  let read = 0;
  for (const folder of blobFolders) {
    const { removed, damaged } = await compareFolder(ctx, folder, { orphanAgeMs: 0 });
    const contents = await checkContents(ctx, folder);
    read += contents.read;
    if (removed > 0) faults.push(`no row refers to ${removed} blobs in ${folder}`);
    if (damaged + contents.damaged > 0) faults.push(`blobs in ${folder} are missing or damaged`);
  }
  if (read === 0) faults.push('the host has no blobs');
  return faults;
}
