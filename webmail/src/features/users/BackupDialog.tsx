import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { type BackupProgressDto, getBackupProgress, giveBackup } from '@selvage/core/contracts/mail-backups';
import { getUser, listUsers, type UserDto } from '@selvage/core/contracts/users';
import { Button, Field, ProgressBar } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { choose, fieldOf } from '../../components/form/fields.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { backupWords } from '../../words/backups.ts';

interface Props {
  user: UserDto;
  onClose: () => void;
}

/** Gives a copy of a user's mail to another person, and shows how far the copying is. */
export function BackupDialog({ user, onClose }: Props) {
  const [given, setGiven] = useState<BackupProgressDto | null>(null);
  if (given) return <ProgressDialog given={given} onClose={onClose} />;
  return <GiveDialog user={user} onGiven={setGiven} onClose={onClose} />;
}

/** `person` is the picked one's id. */
type Values = Record<'company' | 'person' | 'backup_user_email', string>;

function GiveDialog({ user, onGiven, onClose }: Props & { onGiven: (given: BackupProgressDto) => void }) {
  const t = useWords(backupWords);
  const own = useCurrentUser()?.company_id;
  const { _id: companyId, name: company } = user.company_id;
  const form = useForm<Values, BackupProgressDto>({
    start: { company: companyId, person: '', backup_user_email: '' },
    check: ({ backup_user_email: email }): Problems => (email === '' ? { backup_user_email: t.emailRequired } : {}),
    submit: ({ backup_user_email }) => api(giveBackup, { body: { user_id: user._id, backup_user_email } }),
    fallback: t.failed,
    failureField: 'backup_user_email',
    onDone: onGiven,
  });
  const pick = (person: string, email = ''): void => {
    choose(form, 'person', person);
    choose(form, 'backup_user_email', email);
  };
  const hasProvider = own?.is_provider === true && own._id !== companyId;
  const picked = form.values.company === companyId ? company : (own?.name ?? '');
  return (
    <FormDialog form={form} title={t.giveTitle} submitLabel={t.submit} busyLabel={t.submitting} onClose={onClose}>
      <span>{t.giveText({ name: nameOrAddress(user) })}</span>
      {hasProvider && (
        <SelectField
          form={form}
          name="company"
          label={t.readerFrom}
          choices={[
            { value: companyId, label: company },
            { value: own._id, label: own.name },
          ]}
          onPicked={() => pick('')}
        />
      )}
      <Field
        {...fieldOf({
          form,
          name: 'backup_user_email',
          label: t.reader,
          hint: `${t.readerHint({ company: picked })} ${t.giveAgain}`,
          isRequired: true,
        })}
      >
        <RecordPicker
          name="backup_user_email"
          records={{
            list: listUsers,
            get: getUser,
            queryKey: usersKey,
            query: { company_id: form.values.company },
            keyOf: ({ _id }: UserDto) => _id,
            nameOf: (person: UserDto) => `${nameOrAddress(person)} (${shownAddress(person.email)})`,
          }}
          value={form.values.person}
          onPick={(id, row) => pick(id, row?.email)}
        />
      </Field>
    </FormDialog>
  );
}

const ASK_EVERY_MS = 700;

function ProgressDialog({ given, onClose }: { given: BackupProgressDto; onClose: () => void }) {
  const t = useWords(backupWords);
  const { data = given } = useQuery({
    queryKey: ['backup-progress', given._id],
    queryFn: ({ signal }) => api(getBackupProgress, { params: { id: given._id }, signal }),
    initialData: given,
    refetchInterval: ({ state }) => (state.data?.state === 'ready' ? false : ASK_EVERY_MS),
    gcTime: 0,
  });
  const { state, copied, total, backup_email: owner, backup_user_email: reader } = data;
  const isReady = state === 'ready';
  const email = shownAddress(reader);
  const progress = t.progress({ copied: copied.toLocaleString(), total: total.toLocaleString() });
  return (
    <DialogFrame
      title={t.progressTitle({ email: shownAddress(owner) })}
      step={state}
      onClose={onClose}
      actions={
        <Button appearance="primary" onClick={onClose}>
          {t.close}
        </Button>
      }
    >
      {/* The progress is beside it: a screen reader would read out each step */}
      <div role="status">{isReady && <FormMessage intent="success" text={t.ready({ email })} />}</div>
      {!isReady && (
        <Field validationState="none" validationMessage={progress}>
          <ProgressBar aria-label={t.copying} {...(total > 0 ? { value: copied, max: total } : {})} />
        </Field>
      )}
      {!isReady && <span>{t.copyingText}</span>}
      {!data.can_be_opened && <FormMessage intent="warning" text={t.notAllowed({ email })} />}
    </DialogFrame>
  );
}
