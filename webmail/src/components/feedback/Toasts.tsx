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
import { useCallback, useEffect, useId, useRef } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { NARROW, onNarrow } from '../../theme/breakpoints.ts';
import { displayNotices, isBottomTaken, type Notice } from './notify.ts';
import { offerUndo } from './undo-latest.ts';

const TOASTER_ID = 'app';

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
  /** Toasts on the screen whose kind is replaced by later ones. */
  const shown = useRef(new Map<string, string>());
  useEffect(
    () =>
      displayNotices((notice) => {
        const { intent, timeout, kind } = notice;
        const known = kind && shown.current.get(kind);
        count.current += 1;
        const toastId = known || `${prefix}-${count.current}`;
        const content = <NoticeToast notice={notice} onDone={() => dismissToast(toastId)} />;
        if (known) {
          updateToast({ toastId, content, intent, timeout });
          return;
        }
        if (kind) shown.current.set(kind, toastId);
        dispatchToast(content, {
          intent,
          timeout,
          toastId,
          onStatusChange: (_event, { status }) => {
            if (kind && (status === 'dismissed' || status === 'unmounted')) shown.current.delete(kind);
          },
        });
      }),
    [dispatchToast, updateToast, dismissToast, prefix],
  );
  return (
    <Toaster
      className={styles.toaster}
      toasterId={TOASTER_ID}
      announce={handleAnnounce}
      position="bottom-start"
      limit={3}
      pauseOnHover
      {...(isNarrow ? { offset: NARROW_OFFSET } : isRaised ? { offset: RAISED_OFFSET } : {})}
    />
  );
}

function NoticeToast({ notice: { text, action, kind }, onDone }: { notice: Notice; onDone: () => void }) {
  const styles = useStyles();
  const handleAction = (): void => {
    onDone();
    action?.run();
  };
  const latest = useRef(handleAction);
  latest.current = handleAction;
  const isUndo = action?.isUndo === true;
  useEffect(() => (isUndo ? offerUndo(() => latest.current()) : undefined), [isUndo]);
  const isPressable = kind !== undefined && action !== undefined;
  return (
    <Toast {...(isPressable ? { className: styles.pressable, onClick: handleAction } : {})}>
      <ToastTitle
        className={styles.text}
        action={
          action && (
            <Button
              className={styles.action}
              size="small"
              appearance="transparent"
              {...(isPressable ? {} : { onClick: handleAction })}
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
