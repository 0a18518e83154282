import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { endUserSessions, listUserSessions, type UserDto } from '@selvage/core/contracts/users';
import { Button } from '@fluentui/react-components';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { deviceInWords } from '../../lib/device.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { recordKey, usersKey } from '../../lib/record-keys.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { userWords } from '../../words/users.ts';

const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordKey(usersKey, id), 'sessions'],
    queryFn: ({ signal }) => api(listUserSessions, { params: { id }, signal }),
  });

/** Where a user is logged in. */
export function UserSessions({ user }: { user: UserDto }) {
  const t = useWords(userWords);
  const { data, error, refetch } = useQuery(sessionsQuery(user._id));
  const [isAsking, setAsking] = useState(false);
  const canEnd = user.abilities.edit && (data?.length ?? 0) > 0;
  return (
    <Section title={t.sessions} action={canEnd && <Button onClick={() => setAsking(true)}>{t.endSessions}</Button>}>
      <RecordList
        label={t.sessions}
        rows={data}
        error={error}
        empty={t.noSessions}
        onRetry={() => void refetch()}
        renderRow={(session) => (
          <RecordRow
            key={session.session_id}
            title={deviceInWords(session.user_agent)}
            details={[
              session.device_ip,
              t.sessionStart({ time: fullDate(session.login_time) }),
              t.sessionLast({ time: fullDate(session.last_active) }),
            ]}
          />
        )}
      />
      {isAsking && <EndDialog user={user} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function EndDialog({ user, onClose }: { user: UserDto; onClose: () => void }) {
  const t = useWords(userWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(usersKey);
  return (
    <ConfirmDialog
      title={t.endSessions}
      text={t.endSessionsText({ name: nameOrAddress(user) })}
      confirmLabel={t.endSessions}
      cancelLabel={cancel}
      onConfirm={async () => {
        await api(endUserSessions, { params: { id: user._id } });
        await tellChanged(t.sessionsEnded);
      }}
      onClose={onClose}
    />
  );
}
