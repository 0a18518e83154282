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

/**
 * The Send button: checks the message, asks about what the person may have overlooked, and sends.
 */
export function useSendButton(message: OpenMessage, onWrongRecipient: () => void) {
  const [question, setQuestion] = useState<Question | null>(null);
  // The time that was chosen before the question
  const time = useRef<string | null>(null);
  const now = useNow();
  const { sendAt = null } = useStore(message.composition);
  /** The time that the button shows; null for at once. */
  const shownTime = rememberedTime({ sendAt }, now);
  const sendNow = (): void => void sendMessage(message, time.current);

  /** Sends the message after the person has agreed to the question. */
  const send = (): void => {
    const isNext = question === 'empty' && hasForgottenFiles(message.composition.get());
    // By then the first question has closed
    if (question === 'late') setTimeout(() => handleSend(null));
    else if (isNext) setTimeout(() => setQuestion('files'));
    else sendNow();
  };

  /** @param at when to send, null for at once; by default the time on the button */
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
