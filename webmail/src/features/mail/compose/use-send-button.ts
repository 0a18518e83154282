import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { useNow } from '../../../hooks/use-now.ts';
import { isTooSoon, rememberedTime } from '../send-times.ts';
import type { Question } from './ComposeQuestion.tsx';
import { listNames } from './composition.ts';
import { allRecipients, hasNoText } from './finished-message.ts';
import { hasForgottenFiles } from './forgotten-files.ts';
import { isOverfull } from './recipients.ts';
import { sendMessage } from './sending.ts';
import type { OpenMessage } from './windows.ts';

/** What Send does: it looks at the message, asks what the person may have overlooked, and sends. */
export function useSendButton(message: OpenMessage, onWrongRecipient: () => void) {
  const [question, setQuestion] = useState<Question | null>(null);
  // for which the question is asked
  const time = useRef<string | null>(null);
  const now = useNow();
  const { sendAt = null } = useStore(message.composition);
  /** The time that stands on the button; null for at once. */
  const shownTime = rememberedTime({ sendAt }, now);
  const sendNow = (): void => void sendMessage(message, time.current);

  /** Sends it, although the question that stands there was asked. */
  const send = (): void => {
    const isNext = question === 'empty' && hasForgottenFiles(message.composition.get());
    // by then the question before has closed
    if (question === 'late') setTimeout(() => handleSend(null));
    else if (isNext) setTimeout(() => setQuestion('files'));
    else sendNow();
  };

  /** @param at when it is to leave, null for at once; unless given, as the button says */
  const handleSend = (at: Date | null = shownTime): void => {
    if (message.state.get().phase !== 'writing') return;
    if (at && isTooSoon(at)) {
      setQuestion('late');
      return;
    }
    time.current = at?.toISOString() ?? null;
    message.takeText?.();
    const lists = allRecipients(message.composition.get());
    const typed = { to: '', cc: '', bcc: '' };
    message.write({ lists, typed });
    const people = listNames.flatMap((name) => lists[name]);
    const composition = message.composition.get();
    const isOver = listNames.some((name) => isOverfull(lists[name]));
    if (isOver || people.some(({ problem }) => problem !== null)) onWrongRecipient();
    else if (people.length === 0) setQuestion('missing');
    else if (composition.subject.trim() === '' || hasNoText(composition)) setQuestion('empty');
    else if (hasForgottenFiles(composition)) setQuestion('files');
    else sendNow();
  };
  return { question, setQuestion, send, handleSend, shownTime };
}
