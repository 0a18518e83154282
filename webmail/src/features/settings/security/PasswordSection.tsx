import { Button } from '@fluentui/react-components';
import { lazy, Suspense, useState } from 'react';
import { useFocusReturn } from '../../../hooks/use-focus-return.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useLogout } from '../../auth/use-logout.ts';
import { Section } from '../../../components/page/Section.tsx';

const ChangePasswordDialog = lazy(() =>
  import('../../auth/ChangePasswordDialog.tsx').then((m) => ({ default: m.ChangePasswordDialog })),
);

export function PasswordSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Password"
      hint="Changing it signs you out here and on all other devices."
      action={<Button onClick={() => setOpen(true)}>Change password</Button>}
    >
      {isOpen && (
        <Suspense fallback={null}>
          <OwnPassword onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Section>
  );
}

function OwnPassword({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const email = useCurrentUser()?.email ?? '';
  const logOut = useLogout();
  return (
    <ChangePasswordDialog
      email={email}
      reason="Afterwards you sign in again with the new one."
      exit={{ label: 'Cancel', run: onClose }}
      onChanged={logOut}
    />
  );
}
