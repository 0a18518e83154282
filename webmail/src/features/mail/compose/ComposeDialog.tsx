import {
  Button,
  Dialog,
  DialogBody,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Spinner,
  tokens,
} from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { SendRegular } from '@fluentui/react-icons/svg/send';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Editor } from '../../../components/editor/Editor.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { useFocusReturn } from '../../../components/use-focus-return.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { limitWords } from './attachments.ts';
import { AttachmentStrip } from './AttachmentStrip.tsx';
import type { ComposeRequest } from './compose-context.ts';
import { RecipientField } from './RecipientField.tsx';
import type { Sent } from './SendBanner.tsx';
import { SignatureMenu } from './SignatureMenu.tsx';
import { type ListName, listNames, useComposeForm } from './use-compose-form.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useSend } from './use-send.ts';

const SMALL = '@media (max-width: 719px)';

const useStyles = makeStyles({
  surface: {
    maxWidth: '860px',
    width: 'calc(100vw - 48px)',
    height: 'min(760px, calc(100dvh - 48px))',
    padding: tokens.spacingHorizontalL,
    boxSizing: 'border-box',
    [SMALL]: {
      width: '100vw',
      maxWidth: '100vw',
      height: '100dvh',
      maxHeight: '100dvh',
      borderRadius: 0,
      padding: tokens.spacingHorizontalM,
    },
  },
  dropping: { outline: `2px dashed ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-6px' },
  body: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    maxHeight: 'none',
    gap: tokens.spacingVerticalXS,
    overflow: 'hidden',
  },
  head: { display: 'flex', alignItems: 'center', justifyContent: 'space-between' },
  field: { gridTemplateColumns: '64px minmax(0, 1fr)', alignItems: 'center' },
  people: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  grow: { flexGrow: 1, minWidth: 0 },
  more: { minWidth: 'auto', marginTop: tokens.spacingVerticalXS },
  limits: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, [SMALL]: { display: 'none' } },
  content: {
    display: 'flex',
    flexDirection: 'column',
    flexGrow: 1,
    minHeight: 0,
    gap: tokens.spacingVerticalXS,
    overflowY: 'auto',
  },
  actions: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    paddingTop: tokens.spacingVerticalS,
  },
  space: { flexGrow: 1 },
  hidden: { display: 'none' },
});

const FOCUS_AFTER_MS = 60;

type Question = 'missing' | 'empty' | 'clear' | 'discard';

const listWords: Record<ListName, string> = { to: 'To', cc: 'Cc', bcc: 'Bcc' };

interface Props {
  request: ComposeRequest;
  onClose: () => void;
  onSent: (sent: Sent) => void;
}

export function ComposeDialog({ request, onClose, onSent }: Props) {
  useFocusReturn();
  const styles = useStyles();
  const form = useComposeForm(request);
  const sending = useSend(request);
  const drop = useFileDrop(form.attached.add);
  const [question, setQuestion] = useState<Question | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const titleId = useId();
  const surfaceRef = useRef<HTMLDivElement>(null);
  const focusFirst = useEffectEvent(() => {
    // a quick writer is in a field already, and what they type must not end in another
    if (surfaceRef.current?.querySelector('input:focus, [contenteditable]:focus')) return;
    if (request.kind === 'reply' || request.kind === 'draft') form.focusText();
    else surfaceRef.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  });

  // after the dialog has put the focus on its first button, which is never where one wants to type; once, as later renders must leave
  // the focus where it is
  useEffect(() => {
    const timer = setTimeout(() => focusFirst(), FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  const send = (): void => {
    setProblem(null);
    sending.mutate(form.finish(), {
      onSuccess: (sent) => {
        onClose();
        onSent(sent);
      },
      onError: (error) => setProblem(`${messageOf(error)} Nothing was sent, and your text is still here.`),
    });
  };
  const handleSend = (): void => {
    const unfinished = form.firstUnfinished();
    const message = form.finish();
    if (unfinished) setProblem(unfinished);
    else if (message.to.length + message.cc.length + message.bcc.length === 0) setQuestion('missing');
    else if (!message.subject || message.isTextEmpty) setQuestion('empty');
    else send();
  };
  const handleClose = (): void => {
    if (sending.isPending) return;
    if (form.isTouched()) setQuestion('discard');
    else onClose();
  };

  return (
    <>
      <Dialog open modalType="modal" onOpenChange={(_event, data) => !data.open && handleClose()}>
        <DialogSurface
          ref={surfaceRef}
          className={mergeClasses(styles.surface, drop.isOver && styles.dropping)}
          aria-labelledby={titleId}
          backdrop={{ onClick: (event) => event.preventDefault() }}
          {...drop.handlers}
        >
          <DialogBody className={styles.body}>
            <div className={styles.head}>
              <DialogTitle action={null} id={titleId}>
                {request.kind === 'forward' ? 'Forward Email' : 'New Message'}
              </DialogTitle>
              <IconButton label="Close" icon={<DismissRegular />} onClick={handleClose} />
            </div>
            {problem && (
              <MessageBar intent="error" layout="multiline" role="alert">
                <MessageBarBody>{problem}</MessageBarBody>
              </MessageBar>
            )}
            <div className={styles.content}>
              <People form={form} startsInTo={request.kind !== 'reply'} />
              <Field label="Subject" orientation="horizontal" className={styles.field}>
                <Input
                  appearance="underline"
                  maxLength={998}
                  value={form.subject}
                  onChange={(_event, data) => form.setSubject(data.value)}
                />
              </Field>
              <Editor
                label="Message text"
                initialHtml={form.initialHtml}
                onReady={form.handleEditor}
                onFiles={form.attached.add}
              />
              <AttachmentStrip attached={form.attached} />
            </div>
            {sending.progress !== null && <ProgressBar value={sending.progress} aria-label="Uploading the files" />}
            <Actions
              isSending={sending.isPending}
              onSend={handleSend}
              onClear={() => setQuestion('clear')}
              onFiles={form.attached.add}
              signatureMenu={
                <SignatureMenu chosen={form.signature} isDisabled={sending.isPending} onChoose={form.chooseSignature} />
              }
            />
          </DialogBody>
        </DialogSurface>
      </Dialog>
      {question && (
        <Questions
          question={question}
          onSettled={() => setQuestion(null)}
          onSend={send}
          onClear={form.clearAll}
          onDiscard={onClose}
        />
      )}
    </>
  );
}

interface PeopleProps {
  form: ReturnType<typeof useComposeForm>;
  startsInTo: boolean;
}

/** To, and Cc and Bcc once they are asked for or filled. */
function People({ form, startsInTo }: PeopleProps) {
  const styles = useStyles();
  const [asked, setAsked] = useState<ListName[]>([]);
  const isShown = (name: ListName): boolean => name === 'to' || asked.includes(name) || form.lists[name].length > 0;
  return (
    <>
      {listNames.filter(isShown).map((name) => (
        <div key={name} className={styles.people}>
          <div className={styles.grow}>
            <RecipientField
              label={listWords[name]}
              addresses={form.lists[name]}
              text={form.typed[name]}
              onText={(text) => form.setTyped(name, text)}
              onChange={(addresses) => form.setList(name, addresses)}
              hasFocus={(name === 'to' && startsInTo) || asked.at(-1) === name}
            />
          </div>
          {name === 'to' &&
            listNames
              .filter((other) => !isShown(other))
              .map((other) => (
                <Button
                  key={other}
                  className={styles.more}
                  size="small"
                  appearance="subtle"
                  onClick={() => setAsked([...asked, other])}
                >
                  {listWords[other]}
                </Button>
              ))}
        </div>
      ))}
    </>
  );
}

interface ActionsProps {
  isSending: boolean;
  onSend: () => void;
  onClear: () => void;
  onFiles: (files: File[]) => void;
  signatureMenu: ReactNode;
}

function Actions({ isSending, onSend, onClear, onFiles, signatureMenu }: ActionsProps) {
  const styles = useStyles();
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.actions}>
      <Button
        appearance="primary"
        icon={isSending ? <Spinner size="tiny" /> : <SendRegular />}
        disabledFocusable={isSending}
        onClick={onSend}
      >
        {isSending ? 'Sending' : 'Send'}
      </Button>
      <IconButton
        label={`Attach files. ${limitWords}`}
        icon={<AttachRegular />}
        disabled={isSending}
        onClick={() => inputRef.current?.click()}
      />
      <input
        ref={inputRef}
        className={styles.hidden}
        type="file"
        multiple
        aria-label="Files to attach"
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // the same file may be chosen again after it was removed
          event.target.value = '';
        }}
      />
      {signatureMenu}
      <span className={styles.limits}>{limitWords}</span>
      <span className={styles.space} />
      <Button appearance="subtle" disabled={isSending} onClick={onClear}>
        Clear All
      </Button>
    </div>
  );
}

interface QuestionsProps {
  question: Question;
  onSettled: () => void;
  onSend: () => void;
  onClear: () => void;
  onDiscard: () => void;
}

function Questions({ question, onSettled, onSend, onClear, onDiscard }: QuestionsProps) {
  const dialogs: Record<Question, { title: string; text: string; confirm: string; cancel?: string; run?: () => void }> =
    {
      missing: {
        title: 'Missing Recipients',
        text: 'Please add at least one recipient before sending.',
        confirm: 'OK',
      },
      empty: {
        title: 'Send without a subject or text?',
        text: 'Subject or message body is empty. Do you want to send anyway?',
        confirm: 'Send anyway',
        cancel: 'Cancel',
        run: onSend,
      },
      clear: {
        title: 'Confirm Deletion',
        text: 'Recipients, subject, text and files of this message will be gone.',
        confirm: 'Clear All',
        cancel: 'Cancel',
        run: onClear,
      },
      discard: {
        title: 'Discard this message?',
        text: 'What you wrote will be gone. It is not kept as a draft.',
        confirm: 'Discard',
        cancel: 'Go on writing',
        run: onDiscard,
      },
    };
  const { title, text, confirm, cancel, run } = dialogs[question];
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={confirm}
      cancelLabel={cancel}
      onConfirm={() => run?.()}
      onClose={onSettled}
    />
  );
}
