import { Button, makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';
import { discardMessage, takeOther } from './close-messages.ts';
import { askNow, sendAgain } from './sending.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  // Laid between two parts of the window, so that nothing moves when an upload begins
  upload: {
    position: 'relative',
    top: '-3px',
    flexShrink: 0,
    height: 0,
    marginBottom: `calc(0px - ${tokens.spacingVerticalS})`,
  },
});

/**
 * The state of a message: why it was not sent, that the page asks the server about it, or that this
 * browser does not keep it.
 */
export function ComposeStatus({ message }: { message: OpenMessage }) {
  const t = useWords(composeWords);
  const state = useStore(message.state);
  const keeping = useStore(message.keeping);
  return (
    <>
      {state.phase === 'writing' && (
        <FormMessage
          text={state.problem}
          action={
            state.asks === 'again' && (
              <Button size="small" onClick={() => void sendAgain(message)}>
                {t.sendAgain}
              </Button>
            )
          }
        />
      )}
      {state.phase === 'asking' && (
        <FormMessage
          intent="warning"
          text={t.unknown}
          action={
            <Button size="small" onClick={() => askNow(message)}>
              {t.askNow}
            </Button>
          }
        />
      )}
      <DraftElsewhere message={message} />
      <DraftRefused message={message} />
      {keeping === 'memory' && <FormMessage intent="warning" text={t.onlyMemory} />}
      {keeping === 'elsewhere' && <FormMessage intent="info" text={t.otherTab} />}
      <UploadProgress message={message} />
    </>
  );
}

/**
 * The upload of files, while they are saved in the draft and while the message is sent. A message
 * that is sent waits first until its draft is saved.
 */
function UploadProgress({ message }: { message: OpenMessage }) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const state = useStore(message.state);
  const saved = useStore(message.saver.progress);
  const progress = state.phase === 'sending' ? (state.progress ?? saved) : saved;
  if (progress === null) return null;
  return (
    <div className={styles.upload}>
      <ProgressBar value={progress} aria-label={t.uploading} />
    </div>
  );
}

/** The draft was changed or deleted elsewhere, and the person says what becomes of it here. */
function DraftElsewhere({ message }: { message: OpenMessage }) {
  const t = useWords(composeWords);
  const state = useStore(message.saver.state);
  if (state !== 'changed' && state !== 'gone') return null;
  const isGone = state === 'gone';
  return (
    <FormMessage
      intent="warning"
      text={isGone ? t.draftGone : t.draftChanged}
      action={
        <>
          <Button size="small" onClick={() => void message.saver.saveAsAnother()}>
            {isGone ? t.saveAsNew : t.keepBoth}
          </Button>
          <Button size="small" onClick={() => void (isGone ? discardMessage(message) : takeOther(message))}>
            {isGone ? t.discardMine : t.takeOther}
          </Button>
        </>
      }
    />
  );
}

/** Why the server refuses the draft, since waiting does not help against that. */
function DraftRefused({ message }: { message: OpenMessage }) {
  const t = useWords(composeWords);
  const reason = useStore(message.saver.refusal);
  return <FormMessage intent="warning" text={reason && t.draftRefused({ reason })} />;
}

/** Whether the server has what was written, in a word. */
export function SaveWord({ message }: { message: OpenMessage }) {
  const t = useWords(composeWords);
  const state = useStore(message.saver.state);
  const word = { saving: t.saving, saved: t.saved, failed: t.notSaved, idle: '', changed: '', gone: '' }[state];
  return word;
}
