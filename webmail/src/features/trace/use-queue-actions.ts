import { changeDelivery, changeQueue, type QueueActionName, type QueueGroupDto } from '@selvage/core/contracts/queue';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { tracedKey } from '../../lib/record-keys.ts';
import { queueKey } from './queries.ts';

function said(action: QueueActionName, changed: number): string {
  const t = wordsOf(queueWords);
  if (changed === 0) return t.nothing;
  return { retry: t.retried, hold: t.held, release: t.released, give_up: t.gaveUp }[action](changed);
}

/** The server changes a part of them with each call, until nothing is left. */
async function changeAll(action: QueueActionName, { domain, reason }: QueueGroupDto): Promise<number> {
  let changed = 0;
  let before: string | undefined;
  for (;;) {
    const body = { action, domain, reason, ...(before ? { before } : {}) };
    const answer = await api(changeQueue, { body });
    changed += answer.changed;
    if (!answer.has_more) return changed;
    before = answer.before;
  }
}

/** What can be done with mail that waits. Each says what it has done; a failure is the caller's. */
export function useQueueActions() {
  const client = useQueryClient();
  const tell = async (action: QueueActionName, changed: number): Promise<void> => {
    notify.success(said(action, changed));
    await Promise.all([queueKey, tracedKey].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return {
    changeGroup: async (action: QueueActionName, group: QueueGroupDto): Promise<void> =>
      await tell(action, await changeAll(action, group)),
    changeOne: async (action: QueueActionName, id: string): Promise<void> => {
      await api(changeDelivery, { params: { id }, body: { action } });
      await tell(action, 1);
    },
  };
}
