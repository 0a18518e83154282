import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { useUndoSend } from './compose/use-undo-send.ts';

interface Props {
  id: string;
  undoUntil: string | null;
  onUndone: () => void;
}

/** On a message that is still held: take it back. */
export function UndoBanner({ id, undoUntil, onUndone }: Props) {
  const t = useWords(readingWords);
  const undo = useUndoSend();
  const [isOver, setOver] = useState(true);
  useEffect(() => {
    const left = undoUntil ? Date.parse(undoUntil) - Date.now() : 0;
    setOver(left <= 0);
    const timer = setTimeout(() => setOver(true), Math.max(left, 0));
    return () => clearTimeout(timer);
  }, [undoUntil]);
  if (isOver && !undo.isPending) return null;
  return (
    <FormMessage
      intent="info"
      text={t.aboutToBeSent}
      action={
        <Button
          size="small"
          disabledFocusable={undo.isPending}
          onClick={() => undo.mutate(id, { onSuccess: onUndone })}
        >
          {undo.isPending ? t.undoing : t.undo}
        </Button>
      }
    />
  );
}
