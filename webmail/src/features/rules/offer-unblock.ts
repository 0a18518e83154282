import { listBlocked, unblockSender } from '@selvage/core/contracts/mail-rules';
import type { QueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { mailRuleWords } from '../../words/mail-rules.ts';
import { blockedQuery } from './queries.ts';

/**
 * After mail of blocked senders was taken out of Junk: says that they are still blocked, and offers
 * to end that.
 */
export async function offerUnblock(client: QueryClient, addresses: ReadonlySet<string>): Promise<void> {
  const t = wordsOf(mailRuleWords);
  const person = client.getQueryData(currentUserQuery.queryKey);
  if (!can(person, listBlocked) || !can(person, unblockSender)) return;
  // Without the list there is nothing to offer, and the messages are out of Junk all the same
  const blocked = await api(listBlocked, {}).catch(() => []);
  for (const { _id: id, address } of blocked.filter((one) => addresses.has(one.address))) {
    const unblock = async (): Promise<void> => {
      try {
        await api(unblockSender, { params: { id } });
        notify.success(t.unblocked({ address }));
        await client.invalidateQueries({ queryKey: blockedQuery.queryKey });
      } catch (error) {
        notify.error(error);
      }
    };
    notify.info(t.stillBlocked({ address }), { label: t.unblock, run: () => void unblock() });
  }
}
