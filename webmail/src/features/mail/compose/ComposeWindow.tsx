import { makeStyles } from '@fluentui/react-components';
import { findRecipients } from '@selvage/core/contracts/recipients';
import { useStore } from '@nanostores/react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { PlainEditor } from '../../../components/editor/PlainEditor.tsx';
import { useFocusReturn } from '../../../hooks/use-focus-return.ts';
import { closeByBack } from '../../../lib/back-closes.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';
import { AttachmentStrip } from './AttachmentStrip.tsx';
import { ComposeActions } from './ComposeActions.tsx';
import { ComposeFrame, type ComposePlace } from './ComposeFrame.tsx';
import { ComposeQuestion } from './ComposeQuestion.tsx';
import { ComposeStatus, SaveWord } from './ComposeStatus.tsx';
import { DOUBLE_MS, wakeKeys } from './compose-store.ts';
import { type Composition, kindOf, recipientsOf } from './composition.ts';
import { EditorText } from './editor-text.ts';
import { FromRow } from './FromRow.tsx';
import { attachChosen } from './message-files.ts';
import { hasFormats } from './plain-text.ts';
import { recipientsQuery } from './recipient-suggestions.ts';
import { RecipientRows } from './RecipientRows.tsx';
import { ReminderLine } from './ReminderLine.tsx';
import { resumeAsking } from './sending.ts';
import { SignatureMenu } from './SignatureMenu.tsx';
import { SubjectRow } from './SubjectRow.tsx';
import { takeIntoText } from './text-pictures.ts';
import { closeMessage, discardMessage } from './close-messages.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useFirstFocus } from './use-first-focus.ts';
import { useSendButton } from './use-send-button.ts';
import { foldMessage, noteUse, type OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0, overflowY: 'auto' },
});

interface Props {
  message: OpenMessage;
  place: ComposePlace;
  /** Messages that are open behind this one. */
  behind: number;
  /** Notices about other messages. */
  notices: ReactNode;
}

/**
 * The window in which a message is written. Closing it keeps what was written; nothing but Discard
 * throws it away.
 */
export default function ComposeWindow({ message, place, behind, notices }: Props) {
  useFocusReturn();
  const styles = useStyles();
  const t = useWords(composeWords);
  const { origin, signature, subject, isPlain = false } = useStore(message.composition);
  const { phase } = useStore(message.state);
  const [text] = useState(() => new EditorText(message));
  const [startsInTo] = useState(() => recipientsOf(message.composition.get()).length === 0);
  const [startsFolded] = useState(() => isQuoteAside(message.composition.get()));
  const surfaceRef = useRef<HTMLDivElement>(null);
  const drop = useFileDrop((files) => attachChosen(message, files));
  const focusWrong = (): void => surfaceRef.current?.querySelector<HTMLElement>('[data-wrong]')?.focus();
  const sending = useSendButton(message, () => setTimeout(focusWrong));

  const handleFold = (isMinimised: boolean): void => {
    foldMessage(message, isMinimised);
    // By then the editor is mounted again
    if (!isMinimised) setTimeout(() => text.focus());
  };
  const setPlain = (next: boolean): void => {
    text.setPlain(next);
    // By then the other editor is mounted
    setTimeout(() => text.focus());
  };
  const handlePlain = (next: boolean): void => {
    if (next && hasFormats(text.html())) sending.setQuestion('plain');
    else setPlain(next);
  };
  const handleFiles = (files: File[]): void => takeIntoText(message, files);
  const renderBelow = (tools: ReactNode) => (
    <>
      <AttachmentStrip message={message} />
      <ReminderLine message={message} />
      <ComposeActions
        message={message}
        tools={tools}
        isSmall={place !== 'dialog'}
        signatureMenu={
          <SignatureMenu
            chosen={signature}
            isDisabled={phase === 'sending'}
            onChoose={(next) => text.chooseSignature(next)}
          />
        }
        sendAt={sending.shownTime}
        onSend={sending.handleSend}
        onFiles={(files) => attachChosen(message, files)}
        onPlain={handlePlain}
        onClear={() => sending.setQuestion('clear')}
        onDiscard={() => sending.setQuestion('discard')}
      />
    </>
  );
  useFirstRecipients();
  useKeptText(message, text);
  useEffect(wakeKeys, []);
  useFirstFocus(surfaceRef, startsInTo, text);
  useHeldFocus(surfaceRef);
  useEffect(() => (place === 'dialog' ? closeByBack(() => void closeMessage(message)) : undefined), [place, message]);

  return (
    <>
      <ComposeFrame
        place={place}
        name={kindOf({ origin }) === 'forward' ? t.forward : t.newMessage}
        subject={subject}
        surfaceRef={surfaceRef}
        drop={drop}
        behind={behind}
        notices={notices}
        saveWord={<SaveWord message={message} />}
        onSendKey={() => sending.handleSend()}
        onFold={handleFold}
        onFocus={() => noteUse(message)}
        onClose={() => void closeMessage(message)}
      >
        <ComposeStatus message={message} />
        <div className={styles.content}>
          <FromRow message={message} />
          <RecipientRows message={message} startsInTo={startsInTo} />
          <SubjectRow message={message} />
          {isPlain ? (
            <PlainEditor
              label={t.text}
              initialText={text.initialText}
              onReady={text.handlePlainReady}
              onChange={text.handleChange}
              onFiles={handleFiles}
              below={renderBelow(null)}
            />
          ) : (
            <Editor
              label={t.text}
              isBare
              initialHtml={text.initialHtml}
              startsFolded={startsFolded}
              onReady={text.handleReady}
              onChange={text.handleChange}
              onFiles={handleFiles}
              renderBelow={renderBelow}
            />
          )}
        </div>
      </ComposeFrame>
      {sending.question && (
        <ComposeQuestion
          question={sending.question}
          onSettled={() => sending.setQuestion(null)}
          onSend={sending.send}
          onClear={() => text.clearAll()}
          onDiscard={() => void discardMessage(message)}
          onPlain={() => setPlain(true)}
        />
      )}
    </>
  );
}

/** The second press of a double click on what opened the window leaves the focus in the window. */
function useHeldFocus(surfaceRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hold = (event: MouseEvent): void => {
      const isInside = event.target instanceof Node && surfaceRef.current?.contains(event.target);
      if (event.detail > 1 && !isInside) event.preventDefault();
    };
    const end = (): void => document.removeEventListener('mousedown', hold);
    document.addEventListener('mousedown', hold);
    const timer = setTimeout(end, DOUBLE_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [surfaceRef]);
}

/** Loads the people whom the person writes to most before the first letter is typed. */
function useFirstRecipients(): void {
  const client = useQueryClient();
  const may = can(useCurrentUser(), findRecipients);
  useEffect(() => {
    if (may) void client.prefetchQuery(recipientsQuery(''));
  }, [client, may]);
}

/** Whether the quote can be folded away: the person has not written in the text yet. */
function isQuoteAside({ origin, isTextChanged }: Composition): boolean {
  return origin.kind === 'reply' && !isTextChanged;
}

/**
 * While the window is open, the editor has the text. When it closes, the message takes the text
 * over.
 */
function useKeptText(message: OpenMessage, text: EditorText): void {
  // A layout effect, because its cleanup runs before the editor's effect disposes of the editor
  useLayoutEffect(() => message.attachText(text), [message, text]);
  // Sent by a page that has ended since
  useEffect(() => {
    const isOpen = message.composition.get().attempt !== null;
    if (isOpen && message.state.get().phase === 'writing') void resumeAsking(message);
  }, [message]);
}
