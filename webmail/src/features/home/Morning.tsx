import { listDomainHealth } from '@selvage/core/contracts/domain-guard';
import { getLedgerProof } from '@selvage/core/contracts/ledger-proof';
import { getRefusedSignIns, getStorageUse } from '@selvage/core/contracts/morning';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { makeStyles, tokens } from '@fluentui/react-components';
import { can, isOfProvider } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { DomainsCard } from './DomainsCard.tsx';
import { HostCard } from './HostCard.tsx';
import { LedgerCard } from './LedgerCard.tsx';
import { SignInsCard } from './SignInsCard.tsx';
import { StorageCard } from './StorageCard.tsx';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 380px), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
});

/**
 * What an administrator looks for in the morning. Each card is for people who may see its screen.
 */
export default function Morning({ domains }: { domains: number | undefined }) {
  const styles = useStyles();
  const user = useCurrentUser();
  const isHost = isOfProvider(user);
  const isHostSuperAdmin = isHost && user?.role_id.role_id === builtInRole.superAdmin;
  return (
    <div className={styles.root}>
      {isHost && can(user, getLedgerProof) && <LedgerCard />}
      {can(user, listDomainHealth) && <DomainsCard total={domains} />}
      {can(user, getRefusedSignIns) && <SignInsCard />}
      {can(user, getStorageUse) && <StorageCard />}
      {isHostSuperAdmin && <HostCard />}
    </div>
  );
}
