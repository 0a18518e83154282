import { getDraft, undoSend } from '@selvage/core/contracts/mail';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { openCompose } from './compose-store.ts';

/** Takes a message back and opens it again as the draft it has become. */
export function useUndoSend() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const { draft_id } = await api(undoSend, { params: { id } });
      return api(getDraft, { params: { id: draft_id } });
    },
    onSuccess: (draft) => openCompose({ kind: 'draft', draft }),
    onError: (error) => notify.error(error),
    onSettled: () => client.invalidateQueries({ queryKey: ['mail'] }),
  });
}
