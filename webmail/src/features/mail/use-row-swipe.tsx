import type { EmailRowDto } from '@selvage/core/contracts/email';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { useMailChoices } from './mail-choices.ts';
import type { StatusPatch } from './use-change-status.ts';

/** How far a finger moves before it swipes, in pixels. */
const SLOP = 12;
/** How many times farther it moves sideways than up or down. */
const LEAN = 1.5;
/** The share of a row's width, and the most pixels, beyond which letting go acts. */
const REACH = 0.35;
const MOST_REACH = 140;
const SLIDE_MS = 150;

const useStyles = makeStyles({
  // The browser scrolls up and down. Sideways moves belong to the swipe
  list: { touchAction: 'pan-y pinch-zoom', overflowX: 'clip' },
  hint: {
    position: 'fixed',
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    width: 0,
    overflow: 'hidden',
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalL}`,
    backgroundColor: tokens.colorNeutralBackground4,
    color: tokens.colorNeutralForeground2,
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase300,
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    '& svg': { flexShrink: 0, fontSize: '20px' },
  },
  atEnd: { justifyContent: 'flex-end' },
  kept: { backgroundColor: own.stateGood, color: tokens.colorNeutralBackground1 },
  deleted: { backgroundColor: own.stateBad, color: tokens.colorNeutralBackground1 },
});

type Side = 'right' | 'left';

interface Meant {
  patch: StatusPatch;
  label: string;
  icon: ReactNode;
  /** The row stays in its list. */
  stays?: true;
  isBad?: true;
}

interface Swipe {
  row: EmailRowDto;
  element: HTMLElement;
  side: Side;
  meant: Meant;
  box: { left: number; top: number; width: number; height: number };
}

interface Touch {
  id: number;
  x: number;
  y: number;
  row: EmailRowDto;
  element: HTMLElement;
  swipe: Swipe | null;
}

/** The action of a swipe, as the person has chosen it for each side. */
function useMeant(): (row: EmailRowDto, side: Side) => Meant | null {
  const t = useWords(mailActionWords);
  const { swipeRight, swipeLeft } = useMailChoices();
  return (row, side) => {
    const action = side === 'right' ? swipeRight : swipeLeft;
    if (action === 'none') return null;
    if (action === 'read') {
      const patch = { read_status: !row.read_status };
      return row.read_status
        ? { patch, label: t.markUnread, icon: <MailUnreadRegular />, stays: true }
        : { patch, label: t.markRead, icon: <MailReadRegular />, stays: true };
    }
    if (action === 'delete') {
      // Deleting for good is too dangerous for a swipe
      if (row.trash_status) return null;
      return { patch: { trash_status: true }, label: t.delete, icon: <DeleteRegular />, isBad: true };
    }
    if (row.trash_status) {
      return { patch: { trash_status: false }, label: t.restore, icon: <DeleteArrowBackRegular /> };
    }
    if (row.junk_status) return { patch: { junk_status: false }, label: t.notJunk, icon: <MailInboxArrowUpRegular /> };
    return row.archive_status
      ? { patch: { archive_status: false }, label: t.unArchive, icon: <ArchiveArrowBackRegular /> }
      : { patch: { archive_status: true }, label: t.archive, icon: <ArchiveRegular /> };
  };
}

interface Options {
  rows: readonly EmailRowDto[];
  mayChange: (row: EmailRowDto) => boolean;
  /** Left out while rows are ticked: a finger on one of them could mean all. */
  onSwiped: ((row: EmailRowDto, patch: StatusPatch) => void) | undefined;
}

/**
 * Lets a finger push a row aside, to archive or delete it unless the person has chosen otherwise.
 * The buttons of the open message, the menu of the row and the keys do the same. Letting go early,
 * a second finger, or a browser that takes the touch for scrolling changes nothing.
 */
export function useRowSwipe({ rows, mayChange, onSwiped }: Options) {
  const styles = useStyles();
  const meantBy = useMeant();
  const touch = useRef<Touch | null>(null);
  const hintRef = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Swipe | null>(null);
  const [isFar, setFar] = useState(false);

  const end = (): void => {
    const element = touch.current?.element;
    touch.current = null;
    element?.style.removeProperty('transform');
    setShown(null);
    setFar(false);
  };

  const onPointerDown = (event: PointerEvent): void => {
    if (touch.current || !event.isPrimary) {
      end();
      return;
    }
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
    const row = rows.find(({ _id }) => _id === item?.dataset['entry']);
    const element = item?.querySelector<HTMLElement>('[data-row]');
    if (event.pointerType !== 'touch' || !onSwiped || !row || !element?.contains(event.target as Element)) return;
    if (mayChange(row))
      touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY, row, element, swipe: null };
  };

  /** Begins to swipe, or leaves the touch to the browser, as soon as the direction is clear. */
  const judge = (now: Touch, aside: number, down: number): void => {
    if (Math.abs(down) > SLOP && Math.abs(aside) < LEAN * Math.abs(down)) touch.current = null;
    if (Math.abs(aside) < SLOP || Math.abs(aside) < LEAN * Math.abs(down)) return;
    const side = aside > 0 ? 'right' : 'left';
    const meant = meantBy(now.row, side);
    if (!meant) {
      touch.current = null;
      return;
    }
    const { left, top, width, height } = now.element.getBoundingClientRect();
    now.swipe = { row: now.row, element: now.element, side, meant, box: { left, top, width, height } };
    setShown(now.swipe);
  };

  const onPointerMove = (event: PointerEvent): void => {
    const now = touch.current;
    if (!now || event.pointerId !== now.id) return;
    const aside = event.clientX - now.x;
    if (!now.swipe) judge(now, aside, event.clientY - now.y);
    const { swipe } = now;
    if (!swipe) return;
    const pushed = pushedBy(swipe.side, aside);
    now.element.style.transform = `translateX(${swipe.side === 'right' ? pushed : -pushed}px)`;
    hintRef.current?.style.setProperty('width', `${pushed}px`);
    setFar(pushed >= reachOf(swipe));
  };

  const onPointerUp = (event: PointerEvent): void => {
    const now = touch.current;
    if (!now || event.pointerId !== now.id) return;
    const { swipe } = now;
    if (!swipe || pushedBy(swipe.side, event.clientX - now.x) < reachOf(swipe)) {
      if (swipe) void slide(now.element, 0);
      end();
      return;
    }
    const act = (): void => {
      end();
      onSwiped?.(swipe.row, swipe.meant.patch);
    };
    touch.current = { ...now, id: -1 };
    const away = swipe.side === 'right' ? swipe.box.width : -swipe.box.width;
    void slide(now.element, swipe.meant.stays ? 0 : away).then(act, act);
  };

  const cancel = (event: PointerEvent): void => {
    if (touch.current && event.pointerId === touch.current.id) end();
  };

  return {
    className: styles.list,
    listens: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: cancel },
    hint: shown && (
      <div
        ref={hintRef}
        aria-hidden
        data-swipe={isFar ? 'far' : 'near'}
        className={mergeClasses(
          styles.hint,
          shown.side === 'left' && styles.atEnd,
          isFar && (shown.meant.isBad ? styles.deleted : styles.kept),
        )}
        style={{
          top: shown.box.top,
          height: shown.box.height,
          ...(shown.side === 'right'
            ? { left: shown.box.left }
            : { right: document.documentElement.clientWidth - shown.box.left - shown.box.width }),
        }}
      >
        {shown.side === 'right' && shown.meant.icon}
        {shown.meant.label}
        {shown.side === 'left' && shown.meant.icon}
      </div>
    ),
  };
}

const pushedBy = (side: Side, aside: number): number => Math.max(0, side === 'right' ? aside : -aside);
const reachOf = ({ box }: Swipe): number => Math.min(MOST_REACH, box.width * REACH);

/** Moves a row to its place or away; at once for people who want less motion. */
async function slide(element: HTMLElement, to: number): Promise<void> {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = element.style.transform || 'none';
  const frames = [{ transform: from }, { transform: `translateX(${to}px)` }];
  await element.animate(frames, { duration: SLIDE_MS, easing: 'ease-out' }).finished;
}
