import { ActivitySection } from './ActivitySection.tsx';
import { AppPasswordSection } from './AppPasswordSection.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RecoveryEmailSection } from './RecoveryEmailSection.tsx';
import { SessionSection } from './SessionSection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

/** Who can get into the account, and how. */
export function SecurityTab() {
  return (
    <>
      <PasswordSection />
      <RecoveryEmailSection />
      <TwoFactorSection />
      <PasskeySection />
      <AppPasswordSection />
      <SessionSection />
      <ActivitySection />
    </>
  );
}
