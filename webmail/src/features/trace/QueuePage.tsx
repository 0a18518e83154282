import { changeQueue, listQueue, type QueueGroupDto } from '@selvage/core/contracts/queue';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Column, type RowAction, TIME_WIDTH } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { traceStateWords } from '../../words/message-trace.ts';
import { recordWords } from '../../words/records.ts';
import { queueKey, WHILE_WAITING_MS } from './queries.ts';
import { kindOfState, reasonInWords } from './reason-in-words.ts';
import { QueueDialog } from './QueueDialog.tsx';
import { type QueueAct, useQueueActions } from './use-queue-actions.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
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
  const said = reasonInWords(reason);
  return (
    <span className={styles.stack}>
      <StateWord kind={kindOfState[state]}>{s[state]}</StateWord>
      <span className={styles.quiet} title={said}>
        {said}
      </span>
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
    { id: 'oldest', title: t.oldest, cell: ({ oldest }) => fullDate(oldest), width: TIME_WIDTH, isWideOnly: true },
  ];
}

const nameOf = ({ domain, reason }: QueueGroupDto): string =>
  wordsOf(queueWords).rowName({ domain, reason: reasonInWords(reason) });

/** More than these take several calls: that is asked first, and shows how far it has come. */
const MOST_AT_ONCE = 500;

/** What can be done with a row, and with all of its domain where that has several rows. */
function changesOf(group: QueueGroupDto, begin: (act: QueueAct) => void): RowAction[] {
  const t = wordsOf(queueWords);
  const { domain, state, reason, count, of_domain: all } = group;
  const isOneOfMany = all.rows > 1;
  const one = (label: string, action: QueueAct['action']): RowAction => ({
    label,
    run: () => begin({ action, domain, reason, count }),
    isDangerous: action === 'give_up',
  });
  const every = (label: string, action: QueueAct['action']): RowAction => ({
    label,
    run: () => begin({ action, domain, count: action === 'give_up' ? all.queued + all.held : all.queued }),
    isDangerous: action === 'give_up',
  });
  const ofQueued = [one(t.retry, 'retry'), one(t.hold, 'hold')];
  const ofAllQueued = [every(t.retryAll, 'retry'), every(t.holdAll, 'hold')];
  return [
    ...(state === 'held' ? [one(t.release, 'release')] : ofQueued),
    ...(state === 'queued' && isOneOfMany ? ofAllQueued : []),
    one(t.giveUp, 'give_up'),
    ...(isOneOfMany ? [every(t.giveUpAll, 'give_up')] : []),
  ];
}

/** What waits to be sent, and what can be done with it. */
export default function QueuePage() {
  const t = useWords(queueWords);
  const navigate = useNavigate();
  const mayChange = can(useCurrentUser(), changeQueue);
  const { changeMany } = useQueueActions();
  const [asked, setAsked] = useState<QueueAct | null>(null);
  const begin = (act: QueueAct): void => {
    if (act.action === 'give_up' || act.count > MOST_AT_ONCE) setAsked(act);
    else void changeMany(act);
  };
  const actionsOf = (group: QueueGroupDto): RowAction[] => {
    const { domain, state } = group;
    const show = `/dashboard/trace?${new URLSearchParams({ search: domain, party: 'recipient', state }).toString()}`;
    const changes = mayChange ? changesOf(group, begin) : [];
    return [{ label: t.show, run: () => void navigate(show) }, ...changes];
  };
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listQueue}
        queryKey={queueKey}
        lookAgainMs={WHILE_WAITING_MS}
        searchLabel={t.search}
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={nameOf}
        actionsOf={actionsOf}
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {asked && <QueueDialog act={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
