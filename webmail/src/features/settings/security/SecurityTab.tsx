import { builtInRole } from '@selvage/core/contracts/permissions';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { isOfProvider } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { ActivitySection } from './ActivitySection.tsx';
import { AppPasswordSection } from './AppPasswordSection.tsx';
import { MailAccessSection } from './MailAccessSection.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RecoveryEmailSection } from './RecoveryEmailSection.tsx';
import { SessionSection } from './SessionSection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

/** Fetched on demand: it is for few people, and has many dialogs. */
const EnvironmentSection = lazyExtra(() => import('../environment/EnvironmentSection.tsx'));

/**
 * The ways into the account, and everything that could let another person read its mail. For a
 * Super Admin of the provider, settings of the host.
 */
export function SecurityTab() {
  const user = useCurrentUser();
  const isHostSuperAdmin = isOfProvider(user) && user?.role_id.role_id === builtInRole.superAdmin;
  return (
    <>
      <PasswordSection />
      <RecoveryEmailSection />
      <TwoFactorSection />
      <PasskeySection />
      <AppPasswordSection />
      <SessionSection />
      <MailAccessSection />
      <ActivitySection />
      {isHostSuperAdmin && <EnvironmentSection />}
    </>
  );
}
