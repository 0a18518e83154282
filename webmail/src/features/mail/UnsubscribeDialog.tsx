import type { EmailDto, UnsubscribeDto } from '@selvage/core/contracts/email';
import { unsubscribe } from '@selvage/core/contracts/mail';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { unsubscribeWords } from '../../words/unsubscribe.ts';

interface Props {
  email: EmailDto;
  way: UnsubscribeDto;
  onClose: () => void;
}

/** Asks before the host tells the sender that the reader wants to leave the list. */
export default function UnsubscribeDialog({ email, way, onClose }: Props) {
  const t = useWords(unsubscribeWords);
  const { cancel } = useWords(dialogWords);
  const sender = email.sender_name || email.sender_email;
  const isPage = way.way === 'page';
  const confirm = async (): Promise<void> => {
    if (isPage) {
      window.open(way.to, '_blank', 'noopener,noreferrer');
      return;
    }
    const { done } = await api(unsubscribe, { params: { id: email._id } });
    if (done) notify.success(t.done({ sender }));
    else notify.info(t.refused({ host: way.to }));
  };
  return (
    <ConfirmDialog
      title={t.title({ sender })}
      text={isPage ? t.onPage({ host: new URL(way.to).hostname }) : t.oneClick({ host: way.to })}
      confirmLabel={isPage ? t.openPage : t.unsubscribe}
      cancelLabel={cancel}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
