import { answerInvitation, type InvitationDto } from '@selvage/core/contracts/invitations';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { Ring } from '../../../components/feedback/Ring.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { answeredWords, invitationWords } from '../../../words/invitation.ts';
import { mailKeys } from '../keys.ts';
import { patchLoaded } from '../loaded-messages.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  said: { color: tokens.colorNeutralForeground2 },
});

type Answer = NonNullable<InvitationDto['answer']>['value'];

/** The three answers. The one that was given last is marked, and another can be given. */
export function AnswerButtons({ id, invitation }: { id: string; invitation: InvitationDto }) {
  const styles = useStyles();
  const t = useWords(invitationWords);
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (value: Answer) => api(answerInvitation, { params: { id }, body: { answer: value } }),
    onSuccess: ({ answer: value, sent }) => {
      const answered = { ...invitation, answer: { value, is_earlier: false } };
      for (const queryKey of [mailKeys.detail(id), mailKeys.alone(id)]) {
        patchLoaded(client, queryKey, (email) => ({ ...email, invitation: answered }));
      }
      const { organiser } = invitation;
      if (sent) notify.success(t.sent({ name: organiser?.name || organiser?.address || '' }));
      return client.invalidateQueries({ queryKey: mailKeys.folder('sent') });
    },
    onError: notify.error,
  });
  const given = invitation.answer?.is_earlier === false ? invitation.answer.value : null;
  const labels: Record<Answer, string> = { accepted: t.accept, tentative: t.tentative, declined: t.decline };
  return (
    <div className={styles.root} role="group" aria-label={t.answering}>
      {(Object.keys(labels) as Answer[]).map((value) => (
        <Button
          key={value}
          appearance={value === given ? 'primary' : 'secondary'}
          aria-pressed={value === given}
          disabledFocusable={answer.isPending}
          icon={answer.isPending && answer.variables === value ? <Ring /> : undefined}
          onClick={() => value !== given && answer.mutate(value)}
        >
          {labels[value]}
        </Button>
      ))}
    </div>
  );
}

/** What the reader has answered. */
export function LastAnswer({ answer }: Pick<InvitationDto, 'answer'>) {
  const styles = useStyles();
  const t = useWords(answeredWords);
  if (!answer) return null;
  const now: Record<Answer, string> = { accepted: t.youAccepted, tentative: t.youTentative, declined: t.youDeclined };
  const before: Record<Answer, string> = {
    accepted: t.earlierAccepted,
    tentative: t.earlierTentative,
    declined: t.earlierDeclined,
  };
  return (
    <span className={styles.said} role="status">
      {(answer.is_earlier ? before : now)[answer.value]}
    </span>
  );
}
