import {
  Dialog,
  DialogBody,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { ChevronUpRegular } from '@fluentui/react-icons/svg/chevron-up';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { FullScreenMaximizeRegular } from '@fluentui/react-icons/svg/full-screen-maximize';
import { FullScreenMinimizeRegular } from '@fluentui/react-icons/svg/full-screen-minimize';
import { SubtractRegular } from '@fluentui/react-icons/svg/subtract';
import { useStore } from '@nanostores/react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react';
import { asksToClose } from '../../../components/dialog/asks-to-close.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { useLastingFocusManager } from '../../../hooks/use-lasting-focus-manager.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { dropRing, oneLine } from '../../../theme/styles.ts';
import { composeWords } from '../../../words/compose.ts';
import { dockSizes } from './dock-layout.ts';
import { choosePresentation, hasRoom } from './presentation.ts';
import type { useFileDrop } from './use-file-drop.ts';

const useStyles = makeStyles({
  surface: {
    maxWidth: '860px',
    width: 'calc(100vw - 48px)',
    height: 'min(760px, calc(100dvh - 48px))',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    boxSizing: 'border-box',
    [onNarrow]: {
      width: '100vw',
      maxWidth: '100vw',
      height: '100dvh',
      maxHeight: '100dvh',
      borderRadius: 0,
      padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    },
  },
  dropping: dropRing,
  body: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    maxHeight: 'none',
    gap: tokens.spacingVerticalS,
    overflow: 'hidden',
  },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  title: { flexGrow: 1, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  behind: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  saveWord: {
    flexShrink: 0,
    marginRight: tokens.spacingHorizontalS,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
  window: {
    display: 'flex',
    flexDirection: 'column',
    flexShrink: 0,
    width: `${dockSizes.window}px`,
    height: 'min(600px, calc(100dvh - 72px))',
    boxSizing: 'border-box',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderBottom: 'none',
    borderRadius: `${tokens.borderRadiusXLarge} ${tokens.borderRadiusXLarge} 0 0`,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow28,
    overflow: 'hidden',
  },
  bar: { width: `${dockSizes.bar}px`, flexShrink: 1, minWidth: '112px', height: 'auto' },
  windowHead: {
    display: 'flex',
    alignItems: 'center',
    flexShrink: 0,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXS} ${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    cursor: 'default',
  },
  windowTitle: {
    margin: 0,
    flexGrow: 1,
    minWidth: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
    ...oneLine,
  },
  inside: {
    display: 'flex',
    flexDirection: 'column',
    flexGrow: 1,
    minHeight: 0,
    gap: tokens.spacingVerticalS,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalM}`,
  },
  hidden: { display: 'none' },
});

/** Where a message is written: in a window, in one that is folded to a bar, or on the screen. */
export type ComposePlace = 'dialog' | 'window' | 'bar';

interface Props {
  place: ComposePlace;
  /** The title, such as "New message". */
  name: string;
  subject: string;
  surfaceRef: RefObject<HTMLDivElement | null>;
  drop: ReturnType<typeof useFileDrop>;
  /** Messages that are open behind this one. */
  behind: number;
  /** Notices about other messages. */
  notices: ReactNode;
  /** Whether it is saved, in a word. */
  saveWord: ReactNode;
  onSendKey: () => void;
  onFold: (isMinimised: boolean) => void;
  onFocus: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The frame around a message that is being written. */
export function ComposeFrame(props: Props) {
  return props.place === 'dialog' ? <ComposeDialog {...props} /> : <DockedWindow {...props} />;
}

/** In what the window has opened, such as the dialog of a time, the key does not send. */
function isSendKey({ key, ctrlKey, metaKey, nativeEvent, target, currentTarget }: KeyboardEvent): boolean {
  const isInside = target instanceof Node && currentTarget.contains(target);
  return isInside && key === 'Enter' && (ctrlKey || metaKey) && !isOfInputMethod(nativeEvent);
}

function ComposeDialog(props: Props) {
  useLastingFocusManager();
  const { name, surfaceRef, drop, behind, notices, saveWord, onSendKey, onClose, children } = props;
  const styles = useStyles();
  const t = useWords(composeWords);
  const titleId = useId();
  const mayShrink = useStore(hasRoom);
  return (
    <Dialog open modalType="modal" onOpenChange={(_event, data) => asksToClose(data) && onClose()}>
      <DialogSurface
        ref={surfaceRef}
        className={mergeClasses(styles.surface, drop.isOver && styles.dropping)}
        aria-labelledby={titleId}
        backdrop={{ onClick: (event) => event.preventDefault() }}
        onKeyDown={(event) => isSendKey(event) && onSendKey()}
        {...drop.handlers}
      >
        <DialogBody className={styles.body}>
          <div className={styles.head}>
            <DialogTitle action={null} id={titleId} className={styles.title}>
              {name}
            </DialogTitle>
            <span className={styles.behind}>{saveWord}</span>
            {behind > 0 && <span className={styles.behind}>{t.behind(behind)}</span>}
            {mayShrink && (
              <IconButton
                label={t.leaveFullScreen}
                icon={<FullScreenMinimizeRegular />}
                onClick={() => choosePresentation('window')}
              />
            )}
            <IconButton label={t.close} icon={<DismissRegular />} onClick={onClose} />
          </div>
          {notices}
          {children}
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

/** The mail behind the window stays usable, so the window does not trap the focus. */
function DockedWindow(props: Props) {
  const { place, name, subject, surfaceRef, drop, saveWord, onSendKey, onFold, onFocus, onClose, children } = props;
  const styles = useStyles();
  const t = useWords(composeWords);
  const isBar = place === 'bar';
  const title = subject.trim();
  return (
    <div
      ref={surfaceRef}
      role="dialog"
      aria-modal={false}
      aria-label={title === '' ? name : t.named({ name, subject: title })}
      data-beside
      className={mergeClasses(styles.window, isBar && styles.bar, drop.isOver && styles.dropping)}
      onFocus={onFocus}
      onKeyDown={(event) => {
        if (isSendKey(event) && !isBar) onSendKey();
        // A menu, a question in the window or an input method has handled the key already
        if (event.key !== 'Escape' || event.isDefaultPrevented() || isOfInputMethod(event.nativeEvent)) return;
        event.preventDefault();
        onClose();
      }}
      {...drop.handlers}
    >
      <div className={styles.windowHead}>
        <h2 className={styles.windowTitle} dir="auto" onClick={() => onFold(!isBar)}>
          {title || name}
        </h2>
        {!isBar && <span className={styles.saveWord}>{saveWord}</span>}
        <IconButton
          size="small"
          label={isBar ? t.restore : t.minimise}
          icon={isBar ? <ChevronUpRegular /> : <SubtractRegular />}
          aria-expanded={!isBar}
          onClick={() => onFold(!isBar)}
        />
        {!isBar && (
          <IconButton
            size="small"
            label={t.fullScreen}
            icon={<FullScreenMaximizeRegular />}
            onClick={() => choosePresentation('full')}
          />
        )}
        <IconButton size="small" label={t.close} icon={<DismissRegular />} onClick={onClose} />
      </div>
      <div className={mergeClasses(styles.inside, isBar && styles.hidden)}>{children}</div>
    </div>
  );
}
