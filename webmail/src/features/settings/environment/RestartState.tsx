import type { RestartDto } from '@selvage/core/contracts/environment';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { fullDate } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { environmentWords } from '../../../words/environment.ts';
import { environmentQuery, restartQuery } from './queries.ts';

const useStyles = makeStyles({
  running: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  track: {
    height: '4px',
    borderRadius: tokens.borderRadiusCircular,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralStroke2,
  },
  fill: { height: '100%', backgroundColor: tokens.colorBrandBackground },
  quiet: { color: tokens.colorNeutralForeground2 },
});

/** Whether a restart is needed, how far one is, and how the last one went. */
export function RestartState({ isNeeded }: { isNeeded: boolean }) {
  const styles = useStyles();
  const t = useWords(environmentWords);
  const { data: restart, error } = useQuery(restartQuery);
  useTellEnd(restart);
  if (!restart) return null;
  if (restart.state === 'running') return <Running restart={restart} isAway={error !== null} />;
  return (
    <>
      {restart.state === 'failed' && <FormMessage text={t.failed({ problem: restart.problem ?? '' })} />}
      {isNeeded && <FormMessage intent="warning" text={t.needed} />}
      {restart.state === 'done' && (
        <Text size={200} className={styles.quiet}>
          {lastInWords(restart)}
        </Text>
      )}
    </>
  );
}

function Running({ restart, isAway }: { restart: RestartDto; isAway: boolean }) {
  const styles = useStyles();
  const t = useWords(environmentWords);
  const { replaced, total, program } = restart;
  const progress = t.progress({ done: replaced, total });
  const turn = program ? t.turn({ program: t[program] }) : '';
  return (
    <div className={styles.running}>
      <FormMessage intent="info" text={isAway ? t.away : `${progress} ${turn}`.trim()} />
      <div
        className={styles.track}
        role="progressbar"
        aria-label={t.restart}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={replaced}
      >
        <div className={styles.fill} style={{ width: `${total === 0 ? 0 : (replaced / total) * 100}%` }} />
      </div>
    </div>
  );
}

function lastInWords({ finished_at: end, asked_at: begin, asked_by: name }: RestartDto): string {
  const t = wordsOf(environmentWords);
  const time = fullDate(end ?? begin ?? '');
  return name === null ? t.last({ time }) : t.lastBy({ time, name });
}

/** Tells a person who saw a restart run that it is over, and reads the list anew. */
function useTellEnd(restart: RestartDto | undefined): void {
  const client = useQueryClient();
  const running = useRef<number | null>(null);
  useEffect(() => {
    if (!restart) return;
    if (restart.state === 'running') {
      running.current = restart.number;
      return;
    }
    if (running.current === null) return;
    running.current = null;
    void client.invalidateQueries({ queryKey: environmentQuery.queryKey });
    if (restart.state === 'done') notify.success(wordsOf(environmentWords).done(restart.total));
  }, [restart, client]);
}
