import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useUndoSend } from './compose/use-undo-send.ts';

interface Props {
  id: string;
  undoUntil: string | null;
  onUndone: () => void;
}

/** On a message that is still held: take it back. */
export function UndoBanner({ id, undoUntil, onUndone }: Props) {
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
    <MessageBar intent="info">
      <MessageBarBody>This message is about to be sent.</MessageBarBody>
      <MessageBarActions>
        <Button
          size="small"
          disabledFocusable={undo.isPending}
          onClick={() => undo.mutate(id, { onSuccess: onUndone })}
        >
          {undo.isPending ? 'Undoing' : 'Undo'}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
