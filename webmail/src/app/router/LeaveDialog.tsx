import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../lib/i18n.ts';
import { workLostByLeaving } from '../../lib/unsaved-work.ts';
import { dialogWords } from '../../words/dialogs.ts';

interface Props {
  onLeave: () => void;
  onClose: () => void;
}

/** Asks before a change of screen loses typed work. */
export function LeaveDialog({ onLeave, onClose }: Props) {
  const t = useWords(dialogWords);
  const [names] = useState(() => workLostByLeaving().map((work) => work.name));
  return (
    <ConfirmDialog
      title={t.leaveTitle}
      text={t.leaveText({ what: names.join(', ') })}
      confirmLabel={t.leave}
      cancelLabel={t.stay}
      isDangerous
      onConfirm={onLeave}
      onClose={onClose}
    />
  );
}
