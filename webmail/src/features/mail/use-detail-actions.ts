import type { EmailDto } from '@selvage/core/contracts/mail';
import { useLocation, useNavigate } from 'react-router-dom';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { wayBack } from '../../lib/origin.ts';
import { openCompose } from './compose/compose-store.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';

export type DetailActions = ReturnType<typeof useDetailActions>;

/**
 * What can be done with an open message, by button and by key. Moving it away leads back to the
 * list it was opened from.
 */
export function useDetailActions(email: EmailDto, canCompose: boolean) {
  const navigate = useNavigate();
  const origin = wayBack(useLocation());
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange()(email);

  const back = (): void => void navigate(origin);
  const leave = (patch: StatusPatch) => (): void => {
    if (!mayChange) return;
    void changeStatus({ records: [email], patch, isSaid: true });
    back();
  };
  const answer = (kind: 'reply' | 'replyAll' | 'forward') => (): void => {
    if (!canCompose) return;
    openCompose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
  };

  const actions = {
    mayChange,
    back,
    archive: leave({ archive_status: !email.archive_status }),
    trash: leave({ trash_status: !email.trash_status }),
    markUnread: leave({ read_status: false }),
    star: () => void changeStatus({ records: [email], patch: { star_status: !email.star_status } }),
    reply: answer('reply'),
    replyAll: answer('replyAll'),
    forward: answer('forward'),
  };
  useShortcuts({
    u: actions.back,
    e: actions.archive,
    '#': actions.trash,
    s: actions.star,
    r: actions.reply,
    a: actions.replyAll,
    f: actions.forward,
    ...(canCompose ? { c: () => openCompose({ kind: 'new' }) } : {}),
  });
  return actions;
}
