import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { changePasswordWords } from '../../../words/change-password.ts';
import { securityWords } from '../../../words/security.ts';

const ChangeOwnPassword = lazyExtra(() => import('../../../components/password/ChangeOwnPassword.tsx'));

/** The person's password. This section and the dialog say in the same words what a change ends. */
export function PasswordSection() {
  const t = useWords(securityWords);
  const dialog = useWords(changePasswordWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      id="password"
      title={t.password}
      hint={dialog.endsAll}
      action={
        <Button onPointerEnter={ChangeOwnPassword.prepare} onClick={() => setOpen(true)}>
          {t.changePassword}
        </Button>
      }
    >
      {isOpen && <ChangeOwnPassword onCancel={() => setOpen(false)} />}
    </Section>
  );
}
