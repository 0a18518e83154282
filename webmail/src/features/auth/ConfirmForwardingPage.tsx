import { confirmForwarding } from '@selvage/core/contracts/forwarding';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { confirmForwardingWords } from '../../words/confirm-forwarding.ts';
import { AgreeByLink } from './AgreeByLink.tsx';

/** Where the link leads that is mailed to an address to which a person forwards their mail. */
export default function ConfirmForwardingPage() {
  const t = useWords(confirmForwardingWords);
  const client = useQueryClient();
  const agree = async (token: string): Promise<string> => {
    const { forward_to: to, email } = await api(confirmForwarding, { body: { token } });
    void client.invalidateQueries({ queryKey: currentUserKey });
    return t.done({ email, to });
  };
  return <AgreeByLink words={t} agree={agree} />;
}
