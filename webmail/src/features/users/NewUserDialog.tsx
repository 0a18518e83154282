import { useState } from 'react';
import { useFirstCompany } from '../../components/form/CompanyField.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { hasCompanyChoice } from '../../lib/companies.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { userWords } from '../../words/users.ts';
import { NewUserFields } from './NewUserFields.tsx';
import { NewUserSecret } from './NewUserSecret.tsx';
import { type HandedOver, useNewUserForm } from './use-new-user-form.ts';

/** Adds a user, and shows the address and the password once to be handed over. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<HandedOver | null>(null);
  if (made) return <NewUserSecret {...made} onClose={onClose} />;
  return <NewUserFormDialog onMade={setMade} onClose={onClose} />;
}

function NewUserFormDialog({ onMade, onClose }: { onMade: (made: HandedOver) => void; onClose: () => void }) {
  const t = useWords(userWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const hasCompany = hasCompanyChoice(useCurrentUser());
  const keepAs = { key: 'user new', name: unsaved({ title: t.add }), except: ['password'] };
  const newUser = useNewUserForm({ preset: { companyId: useFirstCompany() }, keepAs, onMade });
  return (
    <FormDialog form={newUser.form} title={t.add} submitLabel={create} busyLabel={creating} onClose={onClose}>
      <NewUserFields {...newUser} hasCompany={hasCompany} />
    </FormDialog>
  );
}
