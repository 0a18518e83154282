import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { LazyMenu } from '../../components/LazyMenu.tsx';
import type { RowAction } from '../../components/list/columns.ts';
import { rowMenu } from '../../components/list/row-menu.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { type SenderAct, useQueueActions } from './use-queue-actions.ts';

type Action = Exclude<SenderAct['action'], 'retry'>;

/** What can be done with all waiting mail of a sender, such as an account that sends spam. */
export function SenderActions({ sender }: { sender: string }) {
  const t = useWords(queueWords);
  const { changeMany } = useQueueActions();
  const [asked, setAsked] = useState<Action | null>(null);
  const shown = { sender: shownAddress(sender) };
  const items: RowAction[] = [
    { label: t.holdSender, run: () => setAsked('hold') },
    { label: t.releaseSender, run: () => setAsked('release') },
    { label: t.giveUpSender, run: () => setAsked('give_up'), isDangerous: true },
  ];
  const texts = {
    hold: [t.holdSenderTitle, t.holdSenderText(shown), t.hold, t.holding],
    release: [t.releaseSenderTitle, t.releaseSenderText(shown), t.release, t.releasing],
    give_up: [t.giveUpSenderTitle, t.giveUpSenderText(shown), t.giveUpConfirm, t.givingUp],
  } as const;
  const [title, text, confirmLabel, busyLabel] = texts[asked ?? 'hold'];
  return (
    <>
      <LazyMenu label={t.ofSender(shown)} icon={<MoreHorizontalRegular />} menu={rowMenu} items={items} />
      {asked && (
        <ConfirmDialog
          title={title}
          text={text}
          confirmLabel={confirmLabel}
          busyLabel={busyLabel}
          cancelLabel={t.cancel}
          isDangerous={asked === 'give_up'}
          onConfirm={() => changeMany({ action: asked, sender })}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
