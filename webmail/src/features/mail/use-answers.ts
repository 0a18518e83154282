import { useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { restShortcuts } from '../../hooks/use-shortcuts.ts';
import { openCompose } from './compose/compose-store.ts';
import { aloneQuery, emailQuery } from './queries.ts';

export type AnswerKind = 'reply' | 'replyAll' | 'forward';

/**
 * Answers a message of a list, or one of an open conversation, once it is loaded.
 * @param as `alone`: loads it without its conversation, under the key that an open conversation
 * uses
 */
export function useAnswers(as: 'detail' | 'alone' = 'detail'): (id: string, kind: AnswerKind) => void {
  const client = useQueryClient();
  const answer = async (id: string, kind: AnswerKind): Promise<void> => {
    // Letters typed while the message loads are meant for its answer, and must not act on the list
    const endRest = restShortcuts();
    try {
      const email = await (as === 'alone'
        ? client.ensureQueryData(aloneQuery(id))
        : client.ensureQueryData(emailQuery(id)));
      openCompose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
    } catch (error) {
      notify.error(error);
    } finally {
      endRest();
    }
  };
  return (id, kind) => void answer(id, kind);
}
