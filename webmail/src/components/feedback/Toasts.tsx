import { useStore } from '@nanostores/react';
import {
  AriaLiveAnnouncer,
  Button,
  makeStyles,
  Toast,
  Toaster,
  type ToasterProps,
  ToastTitle,
  tokens,
  useAnnounce,
  useToastController,
} from '@fluentui/react-components';
import { type FocusEvent, useCallback, useEffect, useId, useRef } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { NARROW, onNarrow } from '../../theme/breakpoints.ts';
import { displayNotices, isBottomTaken, type Notice } from './notify.ts';
import { offerUndo } from './undo-latest.ts';

const TOASTER_ID = 'app';

/** The most toasts that are shown at a time. A further one takes the place of an older one. */
const MOST = 3;

/** Pixels from the edges of a small screen: above the bar at its bottom. */
const NARROW_OFFSET = { horizontal: 12, vertical: 68 };

/** The same where windows stand at the bottom: above their buttons, and above an offer of Undo. */
const RAISED_OFFSET = { horizontal: 20, vertical: 152 };

const useStyles = makeStyles({
  toaster: { [onNarrow]: { width: `calc(100vw - ${2 * NARROW_OFFSET.horizontal}px)` } },
  pressable: { cursor: 'pointer' },
  text: { fontWeight: tokens.fontWeightRegular },
  action: {
    minWidth: 0,
    height: '20px',
    padding: 0,
    color: tokens.colorBrandForegroundLink,
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    whiteSpace: 'nowrap',
  },
});

/**
 * Where notices appear. Not part of the first load: what was said before it came is shown when it
 * comes. Screen readers hear them from a place of their own, since an open dialog hides all of the
 * page from them, until a moment after it has gone.
 */
export function Toasts() {
  return (
    <AriaLiveAnnouncer>
      <Notices />
    </AriaLiveAnnouncer>
  );
}

function Notices() {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  const isRaised = useStore(isBottomTaken);
  const { announce } = useAnnounce();
  const handleAnnounce = useCallback<NonNullable<ToasterProps['announce']>>(
    (text, { politeness }) => announce(text, { polite: politeness === 'polite' }),
    [announce],
  );
  const { dispatchToast, updateToast, dismissToast } = useToastController(TOASTER_ID);
  const prefix = useId();
  const count = useRef(0);
  /**
   * Toasts on the screen by their ids, the oldest first. A toast that is fading out is not among
   * them.
   */
  const shown = useRef(new Map<string, ShownToast>());
  const { noteFocus, leaveToast } = useWayOut();
  useEffect(() => {
    const forget = (toastId: string): void => {
      shown.current.get(toastId)?.endUndo?.();
      shown.current.delete(toastId);
    };
    const dismiss = (toastId: string): void => {
      dismissToast(toastId);
      forget(toastId);
    };
    return displayNotices((notice) => {
      const { intent, timeout, kind, action } = notice;
      const known = kind && [...shown.current].find(([, toast]) => toast.kind === kind)?.[0];
      count.current += 1;
      const toastId = known || `${prefix}-${count.current}`;
      const handleAction = (): void => {
        leaveToast();
        dismiss(toastId);
        action?.run();
      };
      const content = <NoticeToast notice={notice} onAction={handleAction} />;
      if (known) {
        updateToast({ toastId, content, intent, timeout });
        return;
      }
      const leaving = shown.current.size < MOST ? undefined : leavingOf(shown.current);
      if (leaving !== undefined) dismiss(leaving);
      // From now on: a key that is pressed before the toast is drawn means this one
      const endUndo = action?.isUndo ? offerUndo(handleAction) : undefined;
      shown.current.set(toastId, { kind, intent, endUndo });
      dispatchToast(content, {
        intent,
        timeout,
        toastId,
        onStatusChange: (_event, { status }) => {
          if (status === 'dismissed' || status === 'unmounted') forget(toastId);
        },
      });
    });
  }, [dispatchToast, updateToast, dismissToast, prefix, leaveToast]);
  return (
    <Toaster
      className={styles.toaster}
      onFocus={noteFocus}
      onKeyDown={({ key }) => (key === 'Escape' || key === 'Delete') && leaveToast()}
      toasterId={TOASTER_ID}
      announce={handleAnnounce}
      position="bottom-start"
      limit={MOST}
      pauseOnHover
      {...(isNarrow ? { offset: NARROW_OFFSET } : isRaised ? { offset: RAISED_OFFSET } : {})}
    />
  );
}

/**
 * Where the focus was before a person went into a toast by keyboard. It goes back there before the
 * toast leaves.
 */
function useWayOut() {
  const before = useRef<Element | null>(null);
  const noteFocus = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  const leaveToast = useCallback((): void => {
    const focused = document.activeElement;
    if (!focused?.matches('[data-toaster-position] *') || !focused.matches(':focus-visible')) return;
    const known = before.current?.isConnected ? before.current : document.querySelector('main h1');
    if (known instanceof HTMLElement) known.focus();
  }, []);
  return { noteFocus, leaveToast };
}

interface ShownToast extends Pick<Notice, 'intent'> {
  kind: string | undefined;
  endUndo: (() => void) | undefined;
}

/** Makes room for another toast: the oldest one that is no failure, or the oldest one. */
function leavingOf(shown: ReadonlyMap<string, ShownToast>): string | undefined {
  const all = [...shown];
  return (all.find(([, { intent }]) => intent !== 'error') ?? all[0])?.[0];
}

function NoticeToast({ notice: { text, action, kind }, onAction }: { notice: Notice; onAction: () => void }) {
  const styles = useStyles();
  const isPressable = kind !== undefined && action !== undefined;
  return (
    <Toast {...(isPressable ? { className: styles.pressable, onClick: onAction } : {})}>
      <ToastTitle
        className={styles.text}
        action={
          action && (
            <Button
              className={styles.action}
              size="small"
              appearance="transparent"
              {...(isPressable ? {} : { onClick: onAction })}
            >
              {action.label}
            </Button>
          )
        }
      >
        {text}
      </ToastTitle>
    </Toast>
  );
}
