import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useWords } from '../../../lib/i18n.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { Banner } from './Banner.tsx';
import { dismissSent, type SentMessage, undoSent } from './sent-messages.ts';

const COUNT_FROM = 3;
const TICK_MS = 100;

/** What the countdown says: it begins with 3, and its last step is the half second that the server adds. */
export function secondsShown(leftMs: number): number {
  return Math.min(COUNT_FROM, Math.max(0, Math.ceil((leftMs - 500) / 1000)));
}

interface Props {
  sent: SentMessage;
  isInline: boolean;
}

/** Counts down the time in which a sent message can be taken back, by the clock of the server. */
export function SendBanner({ sent, isInline }: Props) {
  const t = useWords(unsentWords);
  const { id, until, phase } = sent;
  const [left, setLeft] = useState(() => until - serverNow());
  useEffect(() => {
    if (phase !== 'counting') return;
    const tick = (): void => {
      setLeft(until - serverNow());
      if (until <= serverNow()) dismissSent(id);
    };
    const ticker = setInterval(tick, TICK_MS);
    return () => clearInterval(ticker);
  }, [id, until, phase]);

  if (phase === 'late') return <Banner isInline={isInline} text={<span role="status">{t.tooLate}</span>} />;
  if (phase === 'asking') return <Banner isInline={isInline} text={<span role="status">{t.undoAsked}</span>} />;
  return (
    <Banner
      isInline={isInline}
      // read out once: the countdown would interrupt at each step
      text={<span aria-hidden>{t.sendingIn({ seconds: secondsShown(left) })}</span>}
    >
      <Button
        appearance="primary"
        size="small"
        disabledFocusable={phase === 'undoing'}
        aria-label={t.undoLabel}
        onClick={() => void undoSent(sent)}
      >
        {phase === 'undoing' ? t.undoing : t.undo}
      </Button>
    </Banner>
  );
}
