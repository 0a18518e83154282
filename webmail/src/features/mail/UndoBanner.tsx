import type { EmailDto } from '@selvage/core/contracts/email';
import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { loadModule } from '../../lib/load-module.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { stillHere } from '../../lib/still-here.ts';
import { readingWords } from '../../words/reading.ts';

interface Props {
  email: Pick<EmailDto, '_id' | 'subject' | 'undo_until' | 'remind_at'>;
  onUndone: () => void;
}

/** On a message that is still held: take it back. */
export function UndoBanner({ email: { _id: id, subject, undo_until, remind_at: remindAt }, onUndone }: Props) {
  const t = useWords(readingWords);
  const [isUndoing, setUndoing] = useState(false);
  const [isOver, setOver] = useState(true);
  useEffect(() => {
    const left = undo_until ? Date.parse(undo_until) - serverNow() : 0;
    setOver(left <= 0);
    const timer = setTimeout(() => setOver(true), Math.max(left, 0));
    return () => clearTimeout(timer);
  }, [undo_until]);

  const undo = async (): Promise<void> => {
    setUndoing(true);
    const isHere = stillHere();
    try {
      const { undoById } = await loadModule(() => import('./compose/sent-messages.ts'));
      const isUndone = await undoById(id, subject, { remindAt });
      if (isUndone && isHere()) onUndone();
    } catch (error) {
      notify.error(error);
    } finally {
      setUndoing(false);
    }
  };
  if (isOver && !isUndoing) return null;
  return (
    <FormMessage
      intent="info"
      text={t.aboutToBeSent}
      action={
        <Button size="small" disabledFocusable={isUndoing} onClick={() => void undo()}>
          {isUndoing ? t.undoing : t.undo}
        </Button>
      }
    />
  );
}
