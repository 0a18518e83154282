import { makeStyles } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { isBottomTaken } from '../../../components/feedback/notify.ts';
import { carriesFiles } from '../../../lib/dragged-files.ts';
import { dockSizes, openWindows } from './dock-layout.ts';
import type { ComposeCode } from './use-compose-code.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  // Over the page and below dialogs, menus and toasts; beside the windows the page is free
  root: {
    position: 'fixed',
    zIndex: 800,
    bottom: 0,
    right: `${dockSizes.edge}px`,
    maxWidth: `calc(100vw - ${2 * dockSizes.edge}px)`,
    display: 'flex',
    flexDirection: 'row-reverse',
    alignItems: 'flex-end',
    gap: `${dockSizes.gap}px`,
    pointerEvents: 'none',
    '& > *': { pointerEvents: 'auto' },
  },
});

interface Props {
  shown: readonly OpenMessage[];
  code: ComposeCode;
}

/** The windows in which messages are written, side by side; the first is at the right. */
export function Dock({ shown, code: { Window } }: Props) {
  const styles = useStyles();
  const open = openWindows(shown, useScreenWidth());
  useNoStrayFiles();
  useBottom();
  return (
    <div className={styles.root}>
      {shown.map((message) => (
        <Window
          key={message.key}
          message={message}
          place={open.has(message.key) ? 'window' : 'bar'}
          behind={0}
          notices={null}
        />
      ))}
    </div>
  );
}

function useScreenWidth(): number {
  const [width, setWidth] = useState(() => window.innerWidth);
  useEffect(() => {
    const handleResize = (): void => setWidth(window.innerWidth);
    window.addEventListener('resize', handleResize);
    return () => window.removeEventListener('resize', handleResize);
  }, []);
  return width;
}

/** While windows are open, notices are shown above them. */
function useBottom(): void {
  useEffect(() => {
    isBottomTaken.set(true);
    return () => isBottomTaken.set(false);
  }, []);
}

/** A file that is dropped outside of a window must not replace the app. */
function useNoStrayFiles(): void {
  useEffect(() => {
    const refuse = (event: DragEvent): void => {
      if (event.defaultPrevented || !event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
