import {
  Button,
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  tokens,
} from '@fluentui/react-components';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { SendRegular } from '@fluentui/react-icons/svg/send';
import { useState } from 'react';
import { Ring } from '../../../components/feedback/Ring.tsx';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';
import { sendTimeWords } from '../../../words/scheduled.ts';
import { isAhead, type OfferedTime, offeredTimes, timeOfReminder } from '../send-times.ts';
import { timeInWords } from '../time-in-words.ts';
import { snoozeWords } from '../../../words/snooze.ts';
import type { SendState } from './windows.ts';

const ChooseTimeDialog = lazyExtra(() => import('../ChooseTimeDialog.tsx'));

const useStyles = makeStyles({
  root: { display: 'flex', flexShrink: 0 },
  send: { borderTopRightRadius: 0, borderBottomRightRadius: 0, whiteSpace: 'nowrap' },
  more: {
    minWidth: '32px',
    maxWidth: '32px',
    borderTopLeftRadius: 0,
    borderBottomLeftRadius: 0,
    borderLeft: `1px solid ${tokens.colorNeutralStrokeOnBrand2}`,
  },
  when: { color: tokens.colorNeutralForeground3 },
});

interface Props {
  phase: SendState['phase'];
  /** When the message is to leave; null for at once. */
  sendAt: Date | null;
  /** When the sender is reminded unless an answer comes. */
  remindAt: string | null;
  /**
   * Sends at the given time, or at once for null. Without an argument, it sends at the time on the
   * button.
   */
  onSend: (at?: Date | null) => void;
  /** Left out for people who may not change what they have sent. */
  onRemind: ((at: Date) => void) | undefined;
}

/** Send, with a menu beside it for sending later and for a reminder. */
export function SendButton({ phase, sendAt, remindAt, onSend, onRemind }: Props) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const times = useWords(sendTimeWords);
  const [offers, setOffers] = useState<OfferedTime[]>([]);
  const snooze = useWords(snoozeWords);
  const [choosing, setChoosing] = useState<'send' | 'reminder' | null>(null);
  const isBusy = phase !== 'writing';
  const idle = sendAt ? t.sendAt({ when: timeInWords(sendAt) }) : t.send;
  const names = { today: times.offerToday, tomorrow: times.offerTomorrow, monday: times.offerMonday };
  return (
    <>
      <div className={styles.root}>
        <Button
          className={styles.send}
          appearance="primary"
          icon={isBusy ? <Ring /> : <SendRegular />}
          disabledFocusable={isBusy}
          onClick={() => onSend()}
        >
          {phase === 'sending' ? t.sending : phase === 'asking' ? t.asking : idle}
        </Button>
        <Menu onOpenChange={(_event, { open }) => open && setOffers(offeredTimes())}>
          <MenuTrigger disableButtonEnhancement>
            <Button
              className={styles.more}
              appearance="primary"
              icon={<ChevronDownRegular />}
              aria-label={t.schedule}
              data-tip={t.schedule}
              data-schedule
              disabledFocusable={isBusy}
            />
          </MenuTrigger>
          <MenuPopover>
            <MenuList aria-label={t.schedule}>
              {sendAt && <MenuItem onClick={() => onSend(null)}>{t.sendNow}</MenuItem>}
              {offers.map(({ name, at }) => (
                <MenuItem
                  key={name}
                  secondaryContent={{ className: styles.when, children: timeInWords(at) }}
                  onClick={() => onSend(at)}
                >
                  {names[name]}
                </MenuItem>
              ))}
              <MenuItem onClick={() => setChoosing('send')}>{times.choose}</MenuItem>
              {onRemind && (
                <>
                  <MenuDivider />
                  <MenuItem onClick={() => setChoosing('reminder')}>{snooze.remind}</MenuItem>
                </>
              )}
            </MenuList>
          </MenuPopover>
        </Menu>
      </div>
      {choosing === 'send' && (
        <ChooseTimeDialog initial={sendAt} onChosen={(at: Date) => onSend(at)} onClose={() => setChoosing(null)} />
      )}
      {choosing === 'reminder' && onRemind && (
        <ChooseTimeDialog
          title={snooze.remindTitle}
          confirm={{ idle: snooze.remindConfirm, busy: snooze.remindBusy }}
          initial={isAhead(remindAt) ? new Date(remindAt) : timeOfReminder(sendAt ?? undefined)}
          onChosen={onRemind}
          onClose={() => setChoosing(null)}
        />
      )}
    </>
  );
}
