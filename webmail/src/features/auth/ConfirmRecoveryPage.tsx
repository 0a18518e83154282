import { confirmRecoveryEmail } from '@selvage/core/contracts/account';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { confirmRecoveryWords } from '../../words/confirm-recovery.ts';
import { AgreeByLink } from './AgreeByLink.tsx';

/** Where the link in the mail to a recovery address leads. */
export default function ConfirmRecoveryPage() {
  const t = useWords(confirmRecoveryWords);
  const client = useQueryClient();
  const agree = async (token: string): Promise<string> => {
    const { recovery_email: email } = await api(confirmRecoveryEmail, { body: { token } });
    void client.invalidateQueries({ queryKey: currentUserKey });
    return t.done({ email });
  };
  return <AgreeByLink words={t} agree={agree} />;
}
