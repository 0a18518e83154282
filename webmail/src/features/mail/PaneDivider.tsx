import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { MOST_SHARE, LEAST_SHARE } from './mail-choices.ts';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    flexShrink: 0,
    zIndex: 3,
    touchAction: 'none',
    backgroundColor: tokens.colorNeutralStroke2,
    backgroundClip: 'content-box',
    ':hover': { backgroundColor: tokens.colorNeutralStroke1Hover },
    ...focusRingInside,
  },
  // The hand's target is wider than the line
  right: { width: '1px', padding: '0 4px', margin: '0 -4px', cursor: 'col-resize' },
  bottom: { height: '1px', padding: '4px 0', margin: '-4px 0', cursor: 'row-resize' },
  held: { backgroundColor: tokens.colorBrandStroke1, ':hover': { backgroundColor: tokens.colorBrandStroke1 } },
});

interface Props {
  place: 'right' | 'bottom';
  /** The list's share of the room, in percent. */
  share: number;
  /** Called while the divider is dragged. */
  onMove: (share: number) => void;
  /** Called with the final share. */
  onSettle: (share: number) => void;
}

const STEP = 2;
const bounded = (share: number): number => Math.round(Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share)) * 10) / 10;

/**
 * The divider between the list and the open message. It can be dragged, or moved by the arrow keys,
 * Home and End.
 */
export function PaneDivider({ place, share, onMove, onSettle }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const [isHeld, setHeld] = useState(false);
  const shareAt = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number => {
    const { left, top, width, height } = (currentTarget.parentElement ?? currentTarget).getBoundingClientRect();
    return bounded(place === 'right' ? ((clientX - left) / width) * 100 : ((clientY - top) / height) * 100);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const [less, more] = place === 'right' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const steps: Record<string, number> = {
      [less]: share - STEP,
      [more]: share + STEP,
      Home: LEAST_SHARE,
      End: MOST_SHARE,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onSettle(bounded(next));
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={t.paneDivider}
      aria-orientation={place === 'right' ? 'vertical' : 'horizontal'}
      aria-valuemin={LEAST_SHARE}
      aria-valuemax={MOST_SHARE}
      aria-valuenow={Math.round(share)}
      className={mergeClasses(styles.root, styles[place], isHeld && styles.held)}
      onKeyDown={handleKey}
      onPointerDown={(event) => {
        event.preventDefault();
        // So that the frame of a message does not swallow the moves over it
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      }}
      onPointerMove={(event) => isHeld && onMove(shareAt(event))}
      onPointerUp={(event) => isHeld && onSettle(shareAt(event))}
      onLostPointerCapture={() => setHeld(false)}
    />
  );
}
