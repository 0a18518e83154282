import type { LedgerDayDto } from '@selvage/core/contracts/ledger-proof';
import { listTraced } from '@selvage/core/contracts/trace';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { StateWord } from '../../components/StateWord.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { morningWords } from '../../words/morning.ts';
import { MorningCard } from './MorningCard.tsx';
import { ledgerQuery } from './morning-queries.ts';

const useStyles = makeStyles({
  text: { margin: 0, maxWidth: '80ch', overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground2 },
  number: { fontVariantNumeric: 'tabular-nums' },
  alarm: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXS,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: own.stateBadPaper,
  },
  alarmTitle: { margin: 0, color: own.stateBad, fontSize: 'inherit', fontWeight: tokens.fontWeightSemibold },
  ids: { display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalM, overflowWrap: 'anywhere' },
  table: { borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums', maxWidth: '480px' },
  head: {
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXXS} 0`,
    textAlign: 'start',
    fontWeight: 'inherit',
    color: tokens.colorNeutralForeground2,
  },
  cell: {
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXXS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    whiteSpace: 'nowrap',
  },
});

const SHOWN_DAYS = 7;

/** A day of the ledger is one of UTC, whatever the reader's time zone. */
const dayName = (day: string): string =>
  new Date(day).toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Both directions together. */
function both({ in: received, out: sent }: LedgerDayDto) {
  const sum = (name: keyof LedgerDayDto['in']) => received[name] + sent[name];
  return {
    accepted: sum('accepted'),
    stored: sum('stored'),
    relayed: sum('relayed'),
    bounced: sum('bounced'),
    held: sum('held'),
    queued: sum('queued'),
  };
}

/** What the nightly proof of the ledger has found (D64). */
export function LedgerCard() {
  const styles = useStyles();
  const t = useWords(morningWords);
  const query = useQuery(ledgerQuery);
  return (
    <MorningCard title={t.ledger} query={query} isWide renderAside={({ days }) => <Verdict days={days} />}>
      {({ days, waiting }) => (
        <>
          {days
            .filter(({ difference }) => difference > 0)
            .map((day) => (
              <Alarm key={day.day} day={day} />
            ))}
          {days[0] === undefined && waiting === null && <p className={styles.text}>{t.noDays}</p>}
          {waiting !== null && <p className={styles.text}>{t.waitingDay({ day: dayName(waiting) })}</p>}
          {days[0] !== undefined && (
            <>
              <p className={styles.text}>
                <strong>{dayName(days[0].day)}</strong>: <span className={styles.number}>{t.sum(both(days[0]))}</span>.{' '}
                <span className={styles.quiet}>{t.provedAt({ when: fullDate(days[0].proved_at) })}</span>
              </p>
              <Days days={days.slice(0, SHOWN_DAYS)} />
            </>
          )}
          <p className={styles.text}>
            <span className={styles.quiet}>{t.ledgerHint}</span>
          </p>
        </>
      )}
    </MorningCard>
  );
}

function Verdict({ days }: { days: LedgerDayDto[] }) {
  const t = useWords(morningWords);
  const wrong = days.filter(({ difference }) => difference > 0).length;
  if (wrong > 0) return <StateWord kind="bad">{t.doesNot(wrong)}</StateWord>;
  return days.length > 0 && <StateWord kind="good">{t.addsUp(Math.min(days.length, SHOWN_DAYS))}</StateWord>;
}

/** Records of these are found in the trace by the message's mail id. The others have none. */
const isTraced = (kind: string): boolean => kind !== 'message_without_rows' && kind !== 'unbalanced';

function Alarm({ day: { day, problems } }: { day: LedgerDayDto }) {
  const styles = useStyles();
  const t = useWords(morningWords);
  const mayTrace = can(useCurrentUser(), listTraced);
  return (
    <div className={styles.alarm} role="alert">
      <h3 className={styles.alarmTitle}>{t.alarm({ day: dayName(day) })}</h3>
      {problems.map(({ kind, count, examples }) => (
        <div key={kind}>
          <p className={styles.text}>{t[kind](count)}</p>
          {examples.length > 0 && (
            <span className={styles.ids}>
              {t.mailIds}
              {[...new Set(examples)].map((mailId) =>
                mayTrace && isTraced(kind) ? (
                  <TextLink key={mailId} to={`/dashboard/trace?search=${encodeURIComponent(mailId)}`}>
                    {mailId}
                  </TextLink>
                ) : (
                  <code key={mailId}>{mailId}</code>
                ),
              )}
            </span>
          )}
        </div>
      ))}
      <p className={styles.text}>{t.todo({ day })}</p>
    </div>
  );
}

function Days({ days }: { days: LedgerDayDto[] }) {
  const styles = useStyles();
  const t = useWords(morningWords);
  return (
    <table className={styles.table} aria-label={t.days}>
      <thead>
        <tr>
          {[t.day, t.accepted, t.result].map((name) => (
            <th key={name} scope="col" className={styles.head}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <td className={styles.cell}>{dayName(day.day)}</td>
            <td className={styles.cell}>{both(day).accepted.toLocaleString()}</td>
            <td className={styles.cell}>
              {day.difference === 0 ? (
                <StateWord kind="good">{t.dayAddsUp}</StateWord>
              ) : (
                <StateWord kind="bad">{t.dayDoesNot({ count: day.difference })}</StateWord>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
