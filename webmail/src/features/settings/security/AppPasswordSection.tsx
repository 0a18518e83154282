import {
  type AppPasswordDto,
  createAppPassword,
  removeAppPassword,
  type SubmissionServerDto,
} from '@selvage/core/contracts/account';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { appPasswordsQuery, useRefreshAccount } from '../queries.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { NameField, nameProblem } from './NameDialog.tsx';
import { SmtpSettings } from './SmtpSettings.tsx';

const NAME_REQUIRED = 'Please enter a name for the mail program';

const useStyles = makeStyles({
  secret: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  code: {
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase400,
    overflowWrap: 'anywhere',
    userSelect: 'text',
  },
});

/** Passwords that mail programs send with: they know nothing of a second factor. */
export function AppPasswordSection() {
  const user = useCurrentUser();
  const { data, error, refetch } = useQuery(appPasswordsQuery);
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<AppPasswordDto | null>(null);
  return (
    <Section
      title="App passwords"
      hint={
        user?.twoFactorStatus
          ? 'With two-factor on, a mail program can send mail for you only with a password of its own.'
          : 'A password of its own for each mail program that sends mail for you: it can be taken back alone.'
      }
      action={<Button onClick={() => setAdding(true)}>New app password</Button>}
    >
      <RecordList
        label="App passwords"
        rows={data}
        error={error}
        empty="No mail program has a password yet."
        onRetry={() => void refetch()}
        renderRow={(row) => (
          <RecordRow
            key={row._id}
            title={row.app_name}
            details={[`Made ${fullDate(row.createdAt)}`, lastUse(row)]}
            actions={
              <Button size="small" aria-label={`Revoke ${row.app_name}`} onClick={() => setRemoving(row)}>
                Revoke
              </Button>
            }
          />
        )}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {removing && <RevokeDialog row={removing} onClose={() => setRemoving(null)} />}
    </Section>
  );
}

function lastUse({ last_used: when, last_used_ip: address }: AppPasswordDto): string {
  if (!when) return 'never used';
  return `last used ${fullDate(when)}${address ? ` from ${address}` : ''}`;
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const styles = useStyles();
  const refreshAccount = useRefreshAccount();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [made, setMade] = useState<{ password: string; server: SubmissionServerDto } | null>(null);
  if (made) {
    return (
      <FormDialog title={`Password for ${name.trim()}`} submitLabel="Done" onSubmit={onClose} onClose={onClose}>
        <Text>Type or paste this password into your mail program now. It is not shown again.</Text>
        <div className={styles.secret}>
          <Text className={styles.code} data-testid="app-password">
            {made.password}
          </Text>
          <CopyButton name="the password" text={made.password} />
        </div>
        <SmtpSettings server={made.server} />
      </FormDialog>
    );
  }
  return (
    <PasswordDialog
      title="New app password"
      submitLabel="Create"
      pendingLabel="Creating"
      isValid={() => {
        const found = nameProblem(name, NAME_REQUIRED);
        setProblem(found);
        return !found;
      }}
      run={async (password) => {
        const answer = await api(createAppPassword, { body: { app_name: name.trim(), password } });
        setMade({ password: answer.app_password, server: answer.server });
        await refreshAccount();
      }}
      showProblems={(fields) => {
        setProblem(fields['app_name']);
        return fields['app_name'] !== undefined;
      }}
      onClose={onClose}
    >
      <NameField
        label="Name of the mail program"
        hint="Such as “Thunderbird at home”."
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

function RevokeDialog({ row, onClose }: { row: AppPasswordDto; onClose: () => void }) {
  const refreshAccount = useRefreshAccount();
  const revoke = async (): Promise<void> => {
    try {
      await api(removeAppPassword, { params: { id: row._id } });
      notify.success('App password revoked');
    } catch (error) {
      notify.error(error);
    }
    await refreshAccount();
  };
  return (
    <ConfirmDialog
      title="Revoke this password?"
      text={`“${row.app_name}” can’t send mail for you any more.`}
      confirmLabel="Revoke"
      cancelLabel="Cancel"
      onConfirm={() => void revoke()}
      onClose={onClose}
    />
  );
}
