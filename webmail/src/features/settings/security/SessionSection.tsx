import { logout } from '@selvage/core/contracts/auth';
import { Badge, Button } from '@fluentui/react-components';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate, plural } from '../../../lib/format.ts';
import { endSession } from '../../../lib/session.ts';
import { failureOf } from '../failure.ts';
import { sessionsQuery, useRefreshAccount } from '../queries.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';

const SHOWN_OF_ID = 8;

/** Where the person is signed in. */
export function SessionSection() {
  const own = useCurrentUser()?.session_id;
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [question, setQuestion] = useState<'own' | 'others' | null>(null);
  const ending = useEndSessions(own);
  const others = data?.filter((session) => session.session_id !== own).map((session) => session.session_id) ?? [];
  const rows = data && [...data].sort((a, b) => Number(b.session_id === own) - Number(a.session_id === own));
  return (
    <Section
      title="Active sessions"
      hint="Devices and browsers that are signed in to your account."
      action={
        others.length > 0 && (
          <Button disabledFocusable={ending.isPending} onClick={() => setQuestion('others')}>
            Log out all others
          </Button>
        )
      }
    >
      <RecordList
        label="Active sessions"
        rows={rows}
        error={error}
        empty="There is no session."
        onRetry={() => void refetch()}
        renderRow={(session) => {
          const id = session.session_id.slice(0, SHOWN_OF_ID);
          const isOwn = session.session_id === own;
          return (
            <RecordRow
              key={session.session_id}
              title={session.device}
              badge={
                isOwn && (
                  <Badge appearance="tint" color="brand">
                    This device
                  </Badge>
                )
              }
              details={[
                id,
                session.device_ip,
                `signed in ${fullDate(session.login_time)}`,
                `last used ${fullDate(session.last_active)}`,
              ]}
              actions={
                <Button
                  size="small"
                  aria-label={isOwn ? 'Log out this device' : `Log out session ${id}`}
                  disabledFocusable={ending.isPending}
                  onClick={() => (isOwn ? setQuestion('own') : ending.mutate([session.session_id]))}
                >
                  Log out
                </Button>
              }
            />
          );
        }}
      />
      {question === 'own' && own && (
        <ConfirmDialog
          title="Log out of this device?"
          text="You leave Selvage here and have to sign in again."
          confirmLabel="Log out"
          cancelLabel="Cancel"
          onConfirm={() => ending.mutate([own])}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'others' && (
        <ConfirmDialog
          title="Log out all other sessions?"
          text={`${plural(others.length, 'other session ends', 'other sessions end')}. You stay signed in here.`}
          confirmLabel="Log out all others"
          cancelLabel="Cancel"
          onConfirm={() => ending.mutate(others)}
          onClose={() => setQuestion(null)}
        />
      )}
    </Section>
  );
}

function useEndSessions(own: string | undefined) {
  const refreshAccount = useRefreshAccount();
  return useMutation({
    mutationFn: (ids: string[]) => api(logout, { body: { session_ids: ids } }),
    onSuccess: async (_answer, ids) => {
      if (own && ids.includes(own)) {
        endSession();
        return;
      }
      notify.success(ids.length === 1 ? 'Session logged out' : `${ids.length} sessions logged out`);
      await refreshAccount();
    },
    onError: async (error, ids) => {
      const fallback = ids.length > 1 ? 'Failed to log out all sessions.' : 'Failed to log out session.';
      notify.error(new Error(failureOf(error, fallback)));
      await refreshAccount();
    },
  });
}
