import type { EmailDto } from '@selvage/core/contracts/mail';
import { useLocation, useNavigate } from 'react-router-dom';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useCompose } from './compose/compose-context.ts';
import { originOf } from '../../lib/origin.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';

export type DetailActions = ReturnType<typeof useDetailActions>;

/** What can be done with an open message, by button and by key. Moving it away leads back to where one came from. */
export function useDetailActions(email: EmailDto | undefined, canCompose: boolean) {
  const navigate = useNavigate();
  const origin = originOf(useLocation());
  const changeStatus = useChangeStatus();
  const compose = useCompose();

  const back = (): void => void navigate(origin);
  const change = (patch: StatusPatch, said?: string): void => {
    if (email) changeStatus({ ids: [email._id], patch, ...(said ? { said } : {}) });
  };
  const leave = (patch: StatusPatch, said: string): void => {
    change(patch, said);
    back();
  };
  const answer = (kind: 'reply' | 'replyAll' | 'forward'): void => {
    if (!email || !canCompose) return;
    compose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
  };

  const actions = {
    back,
    archive: () =>
      leave(
        { archive_status: !email?.archive_status },
        email?.archive_status ? 'Moved out of the archive' : 'Archived',
      ),
    trash: () => leave({ trash_status: !email?.trash_status }, email?.trash_status ? 'Restored' : 'Moved to trash'),
    markUnread: () => leave({ read_status: false }, 'Marked as unread'),
    star: () => change({ star_status: !email?.star_status }),
    reply: () => answer('reply'),
    replyAll: () => answer('replyAll'),
    forward: () => answer('forward'),
  };
  useShortcuts({
    u: actions.back,
    e: actions.archive,
    '#': actions.trash,
    s: actions.star,
    r: actions.reply,
    a: actions.replyAll,
    f: actions.forward,
    ...(canCompose ? { c: () => compose({ kind: 'new' }) } : {}),
  });
  return actions;
}
