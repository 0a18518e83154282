import { Button } from '@fluentui/react-components';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../../components/feedback/notify.ts';
import { offerUndo } from '../../../components/feedback/undo-latest.ts';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { Banner } from './Banner.tsx';
import { timeInWords } from '../time-in-words.ts';
import { dismissSent, hasLeft, type SentMessage, undoSent } from './sent-messages.ts';

/**
 * The server holds a message a little longer than the countdown says, for an undo in the last
 * moment.
 */
const GRACE_MS = 500;
const TICK_MS = 100;

/**
 * The seconds that the countdown shows. They never begin above the whole time, however wrong the
 * estimate of the server's clock is.
 */
function secondsShown(leftMs: number, heldMs: number): number {
  const [left, whole] = [leftMs, heldMs].map((ms) => Math.max(0, Math.ceil((ms - GRACE_MS) / 1000)));
  return Math.min(left ?? 0, whole ?? 0);
}

interface Props {
  sent: SentMessage;
  isInline: boolean;
}

/**
 * Says that a message was sent, with a link to its delivery, unless it was taken back elsewhere.
 */
function useSayLeft(sent: SentMessage): { current: () => Promise<void> } {
  const t = useWords(unsentWords);
  const navigate = useNavigate();
  const maySee = can(useCurrentUser(), { model: 'sent', action: 'view' });
  const action = { label: t.viewDelivery, run: () => void navigate(`/dashboard/sent/${sent.id}`) };
  const say = useRef(() => Promise.resolve());
  say.current = async () => {
    if (await hasLeft(sent)) notify.success(t.left, maySee ? action : undefined);
  };
  return say;
}

/** Counts down the time in which a sent message can be taken back, by the clock of the server. */
export function SendBanner({ sent, isInline }: Props) {
  const t = useWords(unsentWords);
  const { id, until, heldMs, shownUntil, doneAt, isScheduled, phase } = sent;
  const undo = useEffectEvent(() => void undoSent(sent));
  useEffect(() => (phase === 'counting' ? offerUndo(() => undo(), doneAt) : undefined), [phase, doneAt]);
  const [left, setLeft] = useState(() => until - serverNow());
  const sayLeft = useSayLeft(sent);
  useEffect(() => {
    if (phase !== 'counting') return;
    const tick = (): void => {
      setLeft(until - serverNow());
      if (shownUntil > serverNow()) return;
      clearInterval(ticker);
      dismissSent(id);
      if (!isScheduled) void sayLeft.current();
    };
    const ticker = setInterval(tick, TICK_MS);
    return () => clearInterval(ticker);
  }, [id, until, shownUntil, isScheduled, phase, sayLeft]);

  if (phase === 'late') return <Banner isInline={isInline} text={<span role="status">{t.tooLate}</span>} />;
  if (phase === 'asking') return <Banner isInline={isInline} text={<span role="status">{t.undoAsked}</span>} />;
  return (
    <Banner
      isInline={isInline}
      text={
        isScheduled ? (
          <span role="status">{t.scheduledFor({ when: timeInWords(new Date(until)) })}</span>
        ) : (
          <>
            {/* Screen readers read the text once: the countdown would interrupt at each step */}
            <span aria-hidden>{t.sendingIn(secondsShown(left, heldMs))}</span>
            <VisuallyHidden>
              <span role="status">{t.undoHint}</span>
            </VisuallyHidden>
          </>
        )
      }
    >
      <Button
        appearance="primary"
        size="small"
        disabledFocusable={phase === 'undoing'}
        aria-label={isScheduled ? t.undoSchedule : t.undoLabel}
        aria-keyshortcuts="z"
        onClick={() => void undoSent(sent)}
      >
        {phase === 'undoing' ? t.undoing : t.undo}
      </Button>
    </Banner>
  );
}
