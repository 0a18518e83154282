import {
  Dialog,
  DialogBody,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { useFocusReturn } from '../../../hooks/use-focus-return.ts';
import { useWords } from '../../../lib/i18n.ts';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { composeWords } from '../../../words/compose.ts';
import { AttachmentStrip } from './AttachmentStrip.tsx';
import { ComposeActions } from './ComposeActions.tsx';
import { ComposeQuestion } from './ComposeQuestion.tsx';
import { ComposeStatus } from './ComposeStatus.tsx';
import { wakeKeys } from './compose-store.ts';
import { recipientsOf } from './composition.ts';
import { EditorText } from './editor-text.ts';
import { FromRow } from './FromRow.tsx';
import { attachFiles } from './message-files.ts';
import { RecipientRows } from './RecipientRows.tsx';
import { resumeAsking } from './sending.ts';
import { SignatureMenu } from './SignatureMenu.tsx';
import { SubjectRow } from './SubjectRow.tsx';
import { closeMessage, discardMessage } from './unsent.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useSendButton } from './use-send-button.ts';
import type { OpenMessage } from './windows.ts';

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
  dropping: { outline: `2px dashed ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-6px' },
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
  content: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0, overflowY: 'auto' },
});

/**
 * By then the dialog has put the focus on its first button, which is never where a person wants to
 * type.
 */
const FOCUS_AGAIN_AFTER_MS = 60;

interface Props {
  message: OpenMessage;
  /** Messages that are open behind this one. */
  behind: number;
  /** What there is to say about other messages. */
  notices: ReactNode;
}

/**
 * The window in which a message is written. Closing it keeps what was written; nothing but Discard
 * throws it away.
 */
export default function ComposeWindow({ message, behind, notices }: Props) {
  useFocusReturn();
  const styles = useStyles();
  const t = useWords(composeWords);
  const { origin, signature, sendAt } = useStore(message.composition);
  const { phase } = useStore(message.state);
  const [text] = useState(() => new EditorText(message));
  const [startsInTo] = useState(() => recipientsOf(message.composition.get()).length === 0);
  const titleId = useId();
  const surfaceRef = useRef<HTMLDivElement>(null);
  const drop = useFileDrop((files) => attachFiles(message, files));
  const focusFirst = (selector: string): void => surfaceRef.current?.querySelector<HTMLElement>(selector)?.focus();
  const sending = useSendButton(message, () => setTimeout(() => focusFirst('[data-wrong]')));

  useKeptText(message, text);
  useEffect(() => {
    wakeKeys();
    const start = (): void => {
      // a quick writer is in a field already, and what they type must not end in another
      if (surfaceRef.current?.querySelector('input:focus, [contenteditable]:focus')) return;
      if (startsInTo) focusFirst('[data-autofocus]');
      else text.focus();
    };
    // at once, so that the first letters are not lost, and again if the dialog took the focus away
    start();
    const timer = setTimeout(start, FOCUS_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [startsInTo, text]);

  return (
    <>
      <Dialog open modalType="modal" onOpenChange={(_event, data) => !data.open && void closeMessage(message)}>
        <DialogSurface
          ref={surfaceRef}
          className={mergeClasses(styles.surface, drop.isOver && styles.dropping)}
          aria-labelledby={titleId}
          backdrop={{ onClick: (event) => event.preventDefault() }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sending.handleSend();
          }}
          {...drop.handlers}
        >
          <DialogBody className={styles.body}>
            <div className={styles.head}>
              <DialogTitle action={null} id={titleId} className={styles.title}>
                {origin.kind === 'forward' ? t.forward : t.newMessage}
              </DialogTitle>
              {behind > 0 && <span className={styles.behind}>{t.behind(behind)}</span>}
              <IconButton label={t.close} icon={<DismissRegular />} onClick={() => void closeMessage(message)} />
            </div>
            {notices}
            <ComposeStatus message={message} />
            <div className={styles.content}>
              <FromRow message={message} />
              <RecipientRows message={message} startsInTo={startsInTo} />
              <SubjectRow message={message} />
              <Editor
                label={t.text}
                isBare
                initialHtml={text.initialHtml}
                onReady={text.handleReady}
                onChange={text.handleChange}
                onFiles={(files) => attachFiles(message, files)}
                renderBelow={(tools) => (
                  <>
                    <AttachmentStrip message={message} />
                    <ComposeActions
                      phase={phase}
                      sendAt={sendAt ?? null}
                      tools={tools}
                      signatureMenu={
                        <SignatureMenu
                          chosen={signature}
                          isDisabled={phase === 'sending'}
                          onChoose={(next) => text.chooseSignature(next)}
                        />
                      }
                      onSend={sending.handleSend}
                      onFiles={(files) => attachFiles(message, files)}
                      onClear={() => sending.setQuestion('clear')}
                      onDiscard={() => sending.setQuestion('discard')}
                    />
                  </>
                )}
              />
            </div>
          </DialogBody>
        </DialogSurface>
      </Dialog>
      {sending.question && (
        <ComposeQuestion
          question={sending.question}
          onSettled={() => sending.setQuestion(null)}
          onSend={sending.send}
          onClear={() => text.clearAll()}
          onDiscard={() => void discardMessage(message)}
        />
      )}
    </>
  );
}

/** The text stands in the editor while the window is there, and in the message when it goes. */
function useKeptText(message: OpenMessage, text: EditorText): void {
  // of layout: the editor ends with the other effects, which end later
  useLayoutEffect(() => message.attachText(text.takeOver), [message, text]);
  // sent off in a page that is gone
  useEffect(() => {
    const isOpen = message.composition.get().attempt !== null;
    if (isOpen && message.state.get().phase === 'writing') void resumeAsking(message);
  }, [message]);
}
