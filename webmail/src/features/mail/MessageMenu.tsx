import { addRules } from '@selvage/core/contracts/add-rules';
import type { EmailDto } from '@selvage/core/contracts/email';
import { replyOrForward, sendEmail } from '@selvage/core/contracts/mail';
import { emptyTrash } from '@selvage/core/contracts/mail-folders';
import type { FilterDto } from '@selvage/core/contracts/mail-rules';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { useContext, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { cut } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { labelWords } from '../../words/labels.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { ownFolderWords } from '../../words/own-folders.ts';
import { readingWords } from '../../words/reading.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { openCompose } from './compose/compose-store.ts';
import { mayBeJunk } from './folder-rules.ts';
import { openLabelMenu } from './labels/label-menu.ts';
import { OpenActions } from './open-actions.ts';
import { askMove } from './own-folders/moving.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import type { DetailActions } from './use-detail-actions.ts';
import { useMayChange } from './use-may-change.ts';
import { useOneMessage } from './use-one-message.ts';
import { print } from './use-print.ts';

const BlockDialog = lazyExtra(() => import('../rules/BlockDialog.tsx'));
const DeleteForGoodDialog = lazyExtra(() => import('./DeleteForGoodDialog.tsx'));
const FilterDialog = lazyExtra(() => import('../rules/FilterDialog.tsx'));
const ReminderDialog = lazyExtra(() => import('./ReminderDialog.tsx'));
const SourceDialog = lazyExtra(() => import('./SourceDialog.tsx'));
const menu = lazyMenu(() => import('../../components/list/RowMenu.tsx'));

const remindNot = (id: string): Promise<void> =>
  import('./reminders.ts').then((m) => m.removeReminder(id), notify.error);

/**
 * Items for which the toolbar has no room on a phone. If the toolbar acts on all of the
 * conversation, so do they in the menu of each message. Otherwise they act on that message alone.
 */
function usePhoneItems(item: EmailDto, onDeleteForGood: () => void): { label: string; run: () => void }[] {
  const t = useWords(mailActionWords);
  const isNarrow = useMedia(NARROW);
  const labels = useWords(labelWords);
  const folders = useWords(ownFolderWords);
  const open = useContext(OpenActions);
  const mayDelete = can(useCurrentUser(), emptyTrash);
  const mayChange = useMayChange();
  if (!isNarrow || !open || !mayChange(item)) return [];
  const isOpen = open.email._id === item._id;
  const isMeant = isOpen || open.actions.isWhole;
  const { snooze, junk, askMove: move, labelled } = isMeant ? open.actions : actionsOn(item, open.actions.alone);
  const { junk_status: isJunk } = isMeant ? open.email : item;
  return [
    ...(snooze ? [{ label: t.snooze, run: snooze }] : []),
    ...(junk ? [{ label: isJunk ? t.notJunk : t.junk, run: junk }] : []),
    { label: folders.moveMore, run: move },
    { label: labels.labelMore, run: () => openLabelMenu(subjectLine(), labelled) },
    ...(isOpen && item.trash_status && mayDelete ? [{ label: t.deleteForGood, run: onDeleteForGood }] : []),
  ];
}

/** What the toolbar does, for a single message that is not the open one. */
function actionsOn(
  item: EmailDto,
  alone: DetailActions['alone'],
): Pick<DetailActions, 'snooze' | 'junk' | 'askMove' | 'labelled'> {
  return {
    snooze: maySnooze(item) ? () => askSnooze([item], (patch) => alone.set(item, patch)) : null,
    junk: mayBeJunk(item) ? () => alone.set(item, { junk_status: !item.junk_status }) : null,
    askMove: () => askMove([item], (patch) => alone.set(item, patch)),
    labelled: [item],
  };
}

const subjectLine = () => document.querySelector<HTMLElement>('[data-open-subject]');

const LONG_ADDRESS = 40;

/** The filter that a person most likely wants: by the mailing list, or else by the sender. */
function likeThis({ list_id: list, sender_email: sender }: EmailDto): Partial<FilterDto> {
  return { conditions: list === null ? { from: sender } : { list_id: list }, actions: { move_to: 'archive' } };
}

/** Shows a message without its markup, or as it was sent again. */
export interface SwitchText {
  isText: boolean;
  run: () => void;
}

interface Props {
  email: EmailDto;
  isReadOnly?: boolean;
  /** Left out for a message that has no markup. */
  onSwitchText?: SwitchText | undefined;
}

/** The less frequent actions on an open message. */
export function MessageMenu({ email, isReadOnly = false, onSwitchText }: Props) {
  const t = useWords(readingWords);
  const list = useWords(mailActionWords);
  const snooze = useWords(snoozeWords);
  const mayChange = useMayChange();
  const [shown, setShown] = useState<'source' | 'block' | 'filter' | 'reminder' | 'forGood' | null>(null);
  const close = (): void => setShown(null);
  const { sender_email: sender } = email;
  const user = useCurrentUser();
  const own = user?.email;
  const mayReply = !isReadOnly && can(user, replyOrForward);
  const mayForward = !isReadOnly && can(user, sendEmail);
  const hasSender = !isReadOnly && email.received_status && sender !== '' && sender !== own;
  const phoneItems = usePhoneItems(email, () => setShown('forGood'));
  const ofOne = useOneMessage(email);
  const open = useContext(OpenActions);
  const items = [
    ...(isReadOnly ? [] : [...phoneItems, ...ofOne]),
    ...(mayReply && email.list_post !== null
      ? [
          {
            label: t.replyToList,
            run: () => openCompose({ kind: 'reply', email, isToAll: false, isToList: true }),
          },
        ]
      : []),
    ...(mayForward
      ? [{ label: list.forwardWhole(1), run: () => openCompose({ kind: 'forwardWhole', messages: [email] }) }]
      : []),
    { label: t.print, run: () => void print(email) },
    ...(!isReadOnly && email.send_status && mayChange(email)
      ? [
          { label: snooze.remind, run: () => setShown('reminder') },
          ...(email.remind_at === null ? [] : [{ label: snooze.remindNot, run: () => void remindNot(email._id) }]),
        ]
      : []),
    ...(onSwitchText ? [{ label: onSwitchText.isText ? t.showAsSent : t.showAsText, run: onSwitchText.run }] : []),
    { label: t.viewSource, run: () => setShown('source') },
    ...(hasSender && can(user, addRules)
      ? [
          { label: t.filterLikeThis, run: () => setShown('filter') },
          { label: t.block({ address: cut(sender, LONG_ADDRESS) }), run: () => setShown('block') },
        ]
      : []),
  ];
  return (
    <>
      <LazyMenu label={t.more} icon={<MoreHorizontalRegular />} menu={menu} items={items} size="small" />
      {shown === 'reminder' && <ReminderDialog email={email} onClose={close} />}
      {shown === 'forGood' && open && (
        <DeleteForGoodDialog rows={[open.email]} onDeleted={open.actions.goOn} onClose={close} />
      )}
      {shown === 'source' && <SourceDialog email={email} onClose={close} />}
      {shown === 'block' && <BlockDialog address={sender} onClose={close} />}
      {shown === 'filter' && <FilterDialog start={likeThis(email)} onClose={close} />}
    </>
  );
}
