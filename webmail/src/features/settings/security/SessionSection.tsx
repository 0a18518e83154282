import { logout } from '@selvage/core/contracts/auth';
import { Badge, Button } from '@fluentui/react-components';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { mayLogOut } from '../../../lib/request-logout.ts';
import { endSession } from '../../../lib/session.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { securityWords } from '../../../words/security.ts';
import { sessionsQuery, useRefreshAccount } from '../queries.ts';

const SHOWN_OF_ID = 8;

/** Where the person is logged in. */
export function SessionSection() {
  const t = useWords(securityWords);
  const own = useCurrentUser()?.session_id;
  const { data, error, refetch } = useQuery(sessionsQuery);
  // The other sessions as they were when the question was asked: after the answer none are left
  const [question, setQuestion] = useState<{ own: string } | { others: string[] } | null>(null);
  const end = useEndSessions(own);
  const ending = useMutation({ mutationFn: end, onError: notify.error });
  const others = own ? (data ?? []).map(({ session_id: id }) => id).filter((id) => id !== own) : [];
  const rows = data && [...data].sort((a, b) => Number(b.session_id === own) - Number(a.session_id === own));
  // Ending this session logs the person out
  const endOwn = async (id: string): Promise<void> => {
    if (await mayLogOut()) await end([id]);
  };
  return (
    <Section
      id="sessions"
      title={t.sessions}
      hint={t.sessionsHint}
      action={
        others.length > 0 && (
          <Button disabledFocusable={ending.isPending} onClick={() => setQuestion({ others })}>
            {t.endOthers}
          </Button>
        )
      }
    >
      <RecordList
        label={t.sessions}
        rows={rows}
        error={error}
        empty={t.sessionsNone}
        onRetry={() => void refetch()}
        renderRow={({ session_id: key, ...session }) => {
          const id = key.slice(0, SHOWN_OF_ID);
          const isOwn = key === own;
          return (
            <RecordRow
              key={key}
              title={session.device}
              badge={
                isOwn && (
                  <Badge appearance="tint" color="brand">
                    {t.thisDevice}
                  </Badge>
                )
              }
              details={[
                id,
                session.device_ip,
                t.sessionStart({ time: fullDate(session.login_time) }),
                t.sessionLast({ time: fullDate(session.last_active) }),
              ]}
              actions={
                <Button
                  size="small"
                  aria-label={isOwn ? t.endOwnNamed : t.endNamed({ id })}
                  disabledFocusable={ending.isPending}
                  onClick={() => (isOwn ? setQuestion({ own: key }) : ending.mutate([key]))}
                >
                  {t.end}
                </Button>
              }
            />
          );
        }}
      />
      {question && 'own' in question && (
        <EndOwn onConfirm={() => endOwn(question.own)} onClose={() => setQuestion(null)} />
      )}
      {question && 'others' in question && (
        <EndOthers
          count={question.others.length}
          onConfirm={() => end(question.others)}
          onClose={() => setQuestion(null)}
        />
      )}
    </Section>
  );
}

interface QuestionProps {
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

function EndOwn(handlers: QuestionProps) {
  const t = useWords(securityWords);
  const { cancel: cancelLabel } = useWords(dialogWords);
  return (
    <ConfirmDialog
      {...handlers}
      title={t.endOwnTitle}
      text={t.endOwnText}
      confirmLabel={t.end}
      busyLabel={t.ending}
      cancelLabel={cancelLabel}
    />
  );
}

function EndOthers({ count, ...handlers }: QuestionProps & { count: number }) {
  const t = useWords(securityWords);
  const { cancel: cancelLabel } = useWords(dialogWords);
  return (
    <ConfirmDialog
      {...handlers}
      title={t.endOthersTitle}
      text={t.endOthersText(count)}
      confirmLabel={t.endOthers}
      busyLabel={t.ending}
      cancelLabel={cancelLabel}
    />
  );
}

/**
 * Ends sessions. Ending the present one leads to the login page. A failure comes in words for the
 * person.
 */
function useEndSessions(own: string | undefined): (ids: string[]) => Promise<void> {
  const refreshAccount = useRefreshAccount();
  return async (ids) => {
    const t = wordsOf(securityWords);
    try {
      await api(logout, { body: { session_ids: ids } });
    } catch (error) {
      await refreshAccount();
      if (error instanceof ApiError && error.message) throw error;
      throw new Error(ids.length > 1 ? t.endAllFailed : t.endOneFailed, { cause: error });
    }
    if (own && ids.includes(own)) {
      endSession();
      return;
    }
    notify.success(t.ended(ids.length));
    await refreshAccount();
  };
}
