import { changeQueue, listQueue, type QueueGroupDto } from '@selvage/core/contracts/queue';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import type { Column, RowAction } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { traceStateWords } from '../../words/message-trace.ts';
import { recordWords } from '../../words/records.ts';
import { queueKey } from './queries.ts';
import { kindOfState, reasonInWords } from './reason-in-words.ts';
import { useQueueActions } from './use-queue-actions.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  // The words of a stranger
  raw: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    unicodeBidi: 'isolate',
  },
});

function Why({ group: { state, reason, reply, sending } }: { group: QueueGroupDto }) {
  const styles = useStyles();
  const t = useWords(queueWords);
  const s = useWords(traceStateWords);
  return (
    <span className={styles.stack}>
      <StateWord kind={kindOfState[state]}>{s[state]}</StateWord>
      <span className={styles.quiet}>{reasonInWords(reason)}</span>
      {reply && (
        <span className={styles.raw} title={reply}>
          {reply}
        </span>
      )}
      {sending > 0 && <span className={styles.quiet}>{t.sending(sending)}</span>}
    </span>
  );
}

function columns(): Column<QueueGroupDto>[] {
  const t = wordsOf(queueWords);
  const { nothing } = wordsOf(recordWords);
  return [
    { id: 'domain', title: t.domain, cell: ({ domain }) => domain, width: '26%' },
    { id: 'why', title: t.why, cell: (group) => <Why group={group} /> },
    { id: 'count', title: t.messages, cell: ({ count }) => count.toLocaleString(), isAtEnd: true, width: '110px' },
    {
      id: 'next',
      title: t.next,
      cell: ({ next_attempt_at: at }) => (at === null ? nothing : fullDate(at)),
      width: '190px',
    },
    { id: 'oldest', title: t.oldest, cell: ({ oldest }) => fullDate(oldest), width: '190px', isWideOnly: true },
  ];
}

const nameOf = ({ domain, reason }: QueueGroupDto): string =>
  wordsOf(queueWords).rowName({ domain, reason: reasonInWords(reason) });

/** What waits to be sent, and what can be done with it. */
export default function QueuePage() {
  const t = useWords(queueWords);
  const navigate = useNavigate();
  const mayChange = can(useCurrentUser(), changeQueue);
  const { changeGroup } = useQueueActions();
  const [leaving, setLeaving] = useState<QueueGroupDto | null>(null);
  const actionsOf = (group: QueueGroupDto): RowAction[] => {
    const { domain, state } = group;
    const act = (action: 'retry' | 'hold' | 'release') => () =>
      void changeGroup(action, group).catch((error: unknown) => notify.error(error));
    const show = `/dashboard/trace?${new URLSearchParams({ search: domain, party: 'recipient', state }).toString()}`;
    const queued = [
      { label: t.retry, run: act('retry') },
      { label: t.hold, run: act('hold') },
    ];
    const changes = state === 'held' ? [{ label: t.release, run: act('release') }] : queued;
    return [
      { label: t.show, run: () => void navigate(show) },
      ...(mayChange ? [...changes, { label: t.giveUp, run: () => setLeaving(group), isDangerous: true }] : []),
    ];
  };
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listQueue}
        queryKey={queueKey}
        searchLabel={t.search}
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={nameOf}
        actionsOf={actionsOf}
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {leaving && (
        <ConfirmDialog
          title={t.giveUpTitle}
          text={t.giveUpMany({ domain: leaving.domain })}
          confirmLabel={t.giveUpConfirm}
          busyLabel={t.givingUp}
          cancelLabel={t.cancel}
          isDangerous
          onConfirm={() => changeGroup('give_up', leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}
