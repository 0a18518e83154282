import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import { useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { useWords } from '../../../lib/i18n.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { Banner } from './Banner.tsx';
import { timeInWords } from '../send-times.ts';
import { dismissSent, type SentMessage, undoSent } from './sent-messages.ts';

/**
 * The server holds a message a little longer than the countdown says, for an undo in the last
 * moment.
 */
const GRACE_MS = 500;
const TICK_MS = 100;

/**
 * What the countdown says. It never begins above the whole time, however wrong the clock was
 * estimated.
 */
function secondsShown(leftMs: number, heldMs: number): number {
  const [left, whole] = [leftMs, heldMs].map((ms) => Math.max(0, Math.ceil((ms - GRACE_MS) / 1000)));
  return Math.min(left ?? 0, whole ?? 0);
}

interface Props {
  sent: SentMessage;
  isInline: boolean;
}

/** Counts down the time in which a sent message can be taken back, by the clock of the server. */
export function SendBanner({ sent, isInline }: Props) {
  const t = useWords(unsentWords);
  const { id, until, heldMs, shownUntil, isScheduled, phase } = sent;
  useShortcuts(phase === 'counting' ? { z: () => void undoSent(sent) } : {});
  const [left, setLeft] = useState(() => until - serverNow());
  useEffect(() => {
    if (phase !== 'counting') return;
    const tick = (): void => {
      setLeft(until - serverNow());
      if (shownUntil <= serverNow()) dismissSent(id);
    };
    const ticker = setInterval(tick, TICK_MS);
    return () => clearInterval(ticker);
  }, [id, until, shownUntil, phase]);

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
            {/* read out once: the countdown would interrupt at each step */}
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
