import { useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { openCompose } from './compose/compose-store.ts';
import { emailQuery } from './queries.ts';

export type AnswerKind = 'reply' | 'replyAll' | 'forward';

/** Answers a message that stands in a list, once it is read. */
export function useAnswers(): (id: string, kind: AnswerKind) => void {
  const client = useQueryClient();
  const answer = async (id: string, kind: AnswerKind): Promise<void> => {
    try {
      const email = await client.ensureQueryData(emailQuery(id));
      openCompose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
    } catch (error) {
      notify.error(error);
    }
  };
  return (id, kind) => void answer(id, kind);
}
