import type { UserDto } from '@selvage/core/contracts/users';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { Section } from '../../components/page/Section.tsx';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { useWords } from '../../lib/i18n.ts';
import { userWords } from '../../words/users.ts';
import { AccountActions } from './AccountActions.tsx';
import { UserSessions } from './UserSessions.tsx';

/** How a user gets into the account. */
export function SecurityInfo({ user }: { user: UserDto }) {
  const t = useWords(userWords);
  return (
    <>
      <Section title={t.security}>
        {user.deletedAt !== null && <FormMessage intent="warning" text={t.deletedText} />}
        {user.deletedAt === null && !user.active_status && <FormMessage intent="warning" text={t.inactiveText} />}
        <Facts
          rows={[
            [t.loginStatus, user.loginAllowed ? word('good', t.allowed) : word('bad', t.blocked)],
            [t.twoFactor, user.twoFactorStatus ? word('good', t.enabled) : word('quiet', t.disabled)],
            [t.recoveryEmail, recoveryOf(user)],
            ...(user.forward_to === null ? [] : [[t.forwardsTo, forwardingOf(user.forward_to)] as const]),
          ]}
        />
      </Section>
      {user.abilities.edit && <AccountActions user={user} />}
      <UserSessions user={user} />
    </>
  );

  function word(kind: StateKind, text: string) {
    return <StateWord kind={kind}>{text}</StateWord>;
  }

  function recoveryOf({
    recovery_email: email,
    recovery_email_confirmed: isConfirmed,
    recovery_email_in_force: used,
    recovery_email_lapsed: isLapsed,
  }: UserDto): string {
    if (email === null) return t.notSet;
    if (isConfirmed) return email;
    if (isLapsed) return t.noLongerUsed({ email });
    return used === null ? t.notConfirmed({ email }) : t.stillInUse({ email, used });
  }

  function forwardingOf(address: string): string {
    return user.forward_confirmed ? address : t.notConfirmed({ email: address });
  }
}
