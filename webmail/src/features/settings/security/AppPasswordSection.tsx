import { type AppPasswordDto, createAppPassword, removeAppPassword } from '@selvage/core/contracts/account';
import { Button } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { appPasswordsQuery, lastUse } from '../../../lib/ways-in.ts';
import { appPasswordWords } from '../../../words/app-passwords.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { useRefreshAccount } from '../queries.ts';
import { NewAppPasswordDialog } from './NewAppPasswordDialog.tsx';

/** Passwords that mail programs send with: they know nothing of a second factor. */
export function AppPasswordSection() {
  const t = useWords(appPasswordWords);
  const user = useCurrentUser();
  const { data, error, refetch } = useQuery(appPasswordsQuery);
  const [mayAdd, mayRevoke] = [can(user, createAppPassword), can(user, removeAppPassword)];
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<AppPasswordDto | null>(null);
  return (
    <Section
      id="app-passwords"
      title={t.title}
      hint={user?.twoFactorStatus ? t.hintTwoFactor : t.hint}
      action={mayAdd && <Button onClick={() => setAdding(true)}>{t.add}</Button>}
    >
      <RecordList
        label={t.title}
        rows={data}
        error={error}
        empty={t.none}
        onRetry={() => void refetch()}
        renderRow={(row) => (
          <RecordRow
            key={row._id}
            title={row.app_name}
            details={[t.made({ time: fullDate(row.createdAt) }), lastUse(row.last_used, row.last_used_ip)]}
            actions={
              mayRevoke && (
                <Button
                  size="small"
                  aria-label={t.revokeNamed({ name: row.app_name })}
                  onClick={() => setRemoving(row)}
                >
                  {t.revoke}
                </Button>
              )
            }
          />
        )}
      />
      {isAdding && <NewAppPasswordDialog onClose={() => setAdding(false)} />}
      {removing && <RevokeDialog row={removing} onClose={() => setRemoving(null)} />}
    </Section>
  );
}

function RevokeDialog({ row, onClose }: { row: AppPasswordDto; onClose: () => void }) {
  const t = useWords(appPasswordWords);
  const shared = useWords(dialogWords);
  const refreshAccount = useRefreshAccount();
  const revoke = async (): Promise<void> => {
    await api(removeAppPassword, { params: { id: row._id } });
    notify.success(t.revoked);
    await refreshAccount();
  };
  return (
    <ConfirmDialog
      title={t.revokeTitle}
      text={t.revokeText({ name: row.app_name })}
      confirmLabel={t.revoke}
      busyLabel={t.revoking}
      cancelLabel={shared.cancel}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
