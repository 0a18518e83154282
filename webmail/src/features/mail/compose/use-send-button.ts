import { useRef, useState } from 'react';
import { rememberedTime } from '../send-times.ts';
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
  const sendNow = (): void => void sendMessage(message, time.current);

  /** Sends it, although the question that stands there was asked. */
  const send = (): void => {
    const isNext = question === 'empty' && hasForgottenFiles(message.composition.get());
    // by then the question before has closed
    if (isNext) setTimeout(() => setQuestion('files'));
    else sendNow();
  };

  /** @param at when it is to leave; unless given, at the time that is remembered, or at once */
  const handleSend = (at: Date | null | undefined = rememberedTime(message.composition.get())): void => {
    if (message.state.get().phase !== 'writing') return;
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
  return { question, setQuestion, send, handleSend };
}
