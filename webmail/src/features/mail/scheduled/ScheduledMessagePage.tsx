import { getDraft } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import { undoSend } from '@selvage/core/contracts/mail';
import { reschedule } from '@selvage/core/contracts/scheduled';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { notify } from '../../../components/feedback/notify.ts';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { LoadError } from '../../../components/page/LoadError.tsx';
import { Toolbar } from '../../../components/Toolbar.tsx';
import { useHourly } from '../../../hooks/use-hourly.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import type { FetchAheadContext } from '../../../lib/page.ts';
import { stillHere } from '../../../lib/still-here.ts';
import { scheduledWords } from '../../../words/scheduled.ts';
import { ComposeButton } from '../ComposeButton.tsx';
import { OpenFrame, OpenSkeleton } from '../OpenFrame.tsx';
import { OpenMessage } from '../OpenMessage.tsx';
import { emailQuery, useEmail } from '../queries.ts';
import { subjectOf } from '../row-words.ts';
import { timeInWords } from '../time-in-words.ts';
import { useCompose } from '../use-compose.ts';
import { SendNowQuestion } from './SendNowQuestion.tsx';
import { cancelScheduled, changeTime, editScheduled } from './scheduled-actions.ts';

const ChooseTimeDialog = lazyExtra(() => import('../ChooseTimeDialog.tsx'));

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    flexShrink: 0,
    minHeight: '52px',
    padding: `0 ${tokens.spacingHorizontalS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  actions: { flexGrow: 1, overflowX: 'auto' },
  action: { whiteSpace: 'nowrap', flexShrink: 0, minWidth: 'auto' },
});

const LIST_PATH = '/dashboard/scheduled';

/** Loads the message in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(emailQuery(id));
}

/** A message that waits for its time, to read, and what can be done with it. */
export default function ScheduledMessagePage() {
  const { id = '' } = useParams();
  const { data: email, error, refetch } = useEmail(id);
  if (email) return <Message key={id} email={email} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <OpenSkeleton />;
}

function Message({ email }: { email: EmailDto }) {
  const styles = useStyles();
  const t = useWords(scheduledWords);
  const navigate = useNavigate();
  const canCompose = useCompose();
  const back = (): void => void navigate(LIST_PATH);
  const time = email.scheduled_for;
  useHourly();
  return (
    <OpenFrame
      subject={subjectOf(email)}
      bar={
        <div className={styles.bar}>
          <IconButton label={t.back} icon={<ArrowLeftRegular />} onClick={back} />
          {time && <Actions email={email} time={time} onGone={back} />}
          {!time && <span className={styles.actions} />}
          {canCompose && <ComposeButton isTight />}
        </div>
      }
    >
      <FormMessage intent="info" text={sentenceFor(time)} />
      <OpenMessage email={email} />
    </OpenFrame>
  );
}

function sentenceFor(time: string | null): string {
  const t = wordsOf(scheduledWords);
  if (!time) return t.gone;
  const at = new Date(time);
  return at.getTime() <= Date.now() ? t.leaving : t.leaves({ when: timeInWords(at) });
}

interface ActionProps {
  email: EmailDto;
  time: string;
  onGone: () => void;
}

function Actions({ email: { _id, subject, remind_at: remindAt }, time, onGone }: ActionProps) {
  const scheduled = { _id, subject, send_at: time };
  const styles = useStyles();
  const t = useWords(scheduledWords);
  const user = useCurrentUser();
  const [isBusy, setBusy] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const maySend = can(user, undoSend);

  const run = async (work: () => Promise<boolean | void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const isHere = stillHere();
    try {
      if ((await work()) !== false && isHere()) onGone();
    } catch (error) {
      notify.error(error);
    } finally {
      setBusy(false);
    }
  };
  const button = { className: styles.action, appearance: 'subtle', disabledFocusable: isBusy } as const;
  return (
    <Toolbar label={t.actions} className={styles.actions}>
      {/* The message becomes a draft, which some who may send have no right to open */}
      {maySend && can(user, getDraft) && (
        <Button {...button} onClick={() => void run(() => editScheduled(scheduled, remindAt))}>
          {t.edit}
        </Button>
      )}
      {maySend && (
        <Button {...button} onClick={() => setAsking(true)}>
          {t.sendNow}
        </Button>
      )}
      {can(user, reschedule) && (
        <Button {...button} onClick={() => setChoosing(true)}>
          {t.changeTime}
        </Button>
      )}
      {maySend && (
        <Button {...button} onClick={() => void run(() => cancelScheduled([scheduled]))}>
          {t.cancel}
        </Button>
      )}
      {isAsking && <SendNowQuestion messages={[scheduled]} onDone={onGone} onClose={() => setAsking(false)} />}
      {isChoosing && (
        <ChooseTimeDialog
          initial={new Date(scheduled.send_at)}
          onChosen={(at: Date) => changeTime(scheduled, at)}
          onClose={() => setChoosing(false)}
        />
      )}
    </Toolbar>
  );
}
