import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useUndoSend } from './use-undo-send.ts';

export interface Sent {
  _id: string;
  undo_until: string;
}

const COUNT_FROM = 3;
const TICK_MS = 1_000;
/** The server holds the deliveries this long; see its answer's `undo_until`. */
const HOLD_MS = 3_500;

const useStyles = makeStyles({
  root: {
    position: 'fixed',
    zIndex: 900,
    bottom: tokens.spacingVerticalXL,
    left: '50%',
    transform: 'translateX(-50%)',
    width: 'max-content',
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalL,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderRadius: tokens.borderRadiusLarge,
    boxShadow: tokens.shadow28,
    backgroundColor: tokens.colorNeutralBackgroundInverted,
    color: tokens.colorNeutralForegroundInverted,
    whiteSpace: 'nowrap',
  },
});

interface Props {
  sent: Sent;
  onOver: () => void;
}

/** Counts down the time in which a sent message can be taken back. */
export function SendBanner({ sent, onOver }: Props) {
  const styles = useStyles();
  const undo = useUndoSend();
  const [seconds, setSeconds] = useState(COUNT_FROM);

  useEffect(() => {
    const ticker = setInterval(() => setSeconds((old) => Math.max(0, old - 1)), TICK_MS);
    return () => clearInterval(ticker);
  }, []);

  useEffect(() => {
    if (undo.isPending) return;
    const timer = setTimeout(onOver, HOLD_MS);
    return () => clearTimeout(timer);
  }, [undo.isPending, onOver]);

  return (
    <div className={styles.root} role="status">
      <Text aria-hidden>Sending in {seconds} seconds...</Text>
      <Button
        appearance="primary"
        size="small"
        disabledFocusable={undo.isPending}
        aria-label="Undo sending"
        onClick={() => undo.mutate(sent._id, { onSettled: onOver })}
      >
        {undo.isPending ? 'Undoing' : 'Undo'}
      </Button>
    </div>
  );
}
