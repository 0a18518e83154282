import { type PasskeyDto, removePasskey, renamePasskey } from '@selvage/core/contracts/two-factor';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { passkeysQuery, useRefreshAccount } from '../queries.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { NameDialog, NameField, nameProblem } from './NameDialog.tsx';
import { createPasskey, whyNoPasskey } from './passkey-support.ts';

const NAME_REQUIRED = 'Please enter a name for the passkey';

const useStyles = makeStyles({ quiet: { color: tokens.colorNeutralForeground2 } });

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: PasskeyDto } | null;

/** Devices that stand in for the app's code. */
export function PasskeySection() {
  const styles = useStyles();
  const user = useCurrentUser();
  const isOn = user?.twoFactorStatus ?? false;
  const { data, error, refetch } = useQuery({ ...passkeysQuery, enabled: isOn });
  const [open, setOpen] = useState<Open>(null);
  const obstacle = isOn ? whyNoPasskey() : 'Passkeys can be added once two-factor authentication is on.';
  const close = (): void => setOpen(null);
  return (
    <Section
      title="Passkeys"
      hint="A fingerprint, a face, or a security key instead of the app’s code at a sign-in."
      action={!obstacle && <Button onClick={() => setOpen({ kind: 'add' })}>Add a passkey</Button>}
    >
      {obstacle && <Text className={styles.quiet}>{obstacle}</Text>}
      {isOn && (
        <RecordList
          label="Passkeys"
          rows={data}
          error={error}
          empty="You have no passkey yet."
          onRetry={() => void refetch()}
          renderRow={(passkey) => (
            <RecordRow
              key={passkey._id}
              title={passkey.passkey_name}
              details={[
                `Added ${fullDate(passkey.createdAt)}`,
                passkey.last_used ? `last used ${fullDate(passkey.last_used)}` : 'never used',
              ]}
              actions={
                <>
                  <Button
                    size="small"
                    aria-label={`Rename ${passkey.passkey_name}`}
                    onClick={() => setOpen({ kind: 'rename', passkey })}
                  >
                    Rename
                  </Button>
                  <Button
                    size="small"
                    aria-label={`Remove ${passkey.passkey_name}`}
                    onClick={() => setOpen({ kind: 'remove', passkey })}
                  >
                    Remove
                  </Button>
                </>
              }
            />
          )}
        />
      )}
      {open?.kind === 'add' && <AddDialog onClose={close} />}
      {open?.kind === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog passkey={open.passkey} onClose={close} />}
    </Section>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const refreshAccount = useRefreshAccount();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  return (
    <PasswordDialog
      title="Add a passkey"
      text="Your browser then asks which device shall hold it."
      submitLabel="Add"
      pendingLabel="Waiting for your device"
      isValid={() => {
        const found = nameProblem(name, NAME_REQUIRED);
        setProblem(found);
        return !found;
      }}
      run={async (password) => {
        await createPasskey(name.trim(), password);
        await refreshAccount();
        onClose();
        notify.success('Passkey added');
      }}
      showProblems={(fields) => {
        setProblem(fields['passkey_name']);
        return fields['passkey_name'] !== undefined;
      }}
      onClose={onClose}
    >
      <NameField
        label="Name"
        hint="So that you know it again, such as “My phone”."
        value={name}
        problem={problem}
        onChange={(text) => {
          setName(text);
          setProblem(undefined);
        }}
      />
    </PasswordDialog>
  );
}

interface OneProps {
  passkey: PasskeyDto;
  onClose: () => void;
}

function RenameDialog({ passkey, onClose }: OneProps) {
  const refreshAccount = useRefreshAccount();
  return (
    <NameDialog
      title="Rename the passkey"
      label="Name"
      required={NAME_REQUIRED}
      name={passkey.passkey_name}
      run={async (name) => {
        await api(renamePasskey, { params: { id: passkey._id }, body: { passkey_name: name } });
        await refreshAccount();
      }}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ passkey, onClose }: OneProps) {
  const refreshAccount = useRefreshAccount();
  const remove = async (): Promise<void> => {
    try {
      await api(removePasskey, { params: { id: passkey._id } });
      notify.success('Passkey removed');
    } catch (error) {
      notify.error(error);
    }
    await refreshAccount();
  };
  return (
    <ConfirmDialog
      title="Remove this passkey?"
      text={`“${passkey.passkey_name}” will not let you in any more.`}
      confirmLabel="Remove"
      cancelLabel="Cancel"
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
