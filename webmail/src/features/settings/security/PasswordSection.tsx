import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { logOut } from '../../../lib/log-out.ts';
import { changePasswordWords } from '../../../words/change-password.ts';
import { securityWords } from '../../../words/security.ts';

const ChangePasswordDialog = lazyExtra(() => import('../../auth/ChangePasswordDialog.tsx'));

/** The own password. What a change of it ends is said here and in the dialog in the same words. */
export function PasswordSection() {
  const t = useWords(securityWords);
  const dialog = useWords(changePasswordWords);
  const email = useCurrentUser()?.email ?? '';
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={t.password}
      hint={dialog.endsAll}
      action={
        <Button onPointerEnter={ChangePasswordDialog.prepare} onClick={() => setOpen(true)}>
          {t.changePassword}
        </Button>
      }
    >
      {isOpen && (
        <ChangePasswordDialog
          email={email}
          reason={dialog.endsAll}
          exit={{ label: dialog.cancel, run: () => setOpen(false) }}
          onChanged={logOut}
        />
      )}
    </Section>
  );
}
