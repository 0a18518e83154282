import type { HostHealthDto } from '@selvage/core/contracts/morning';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../components/page/Facts.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { morningWords } from '../../words/morning.ts';
import { DiskUse } from './DiskUse.tsx';
import { MorningCard } from './MorningCard.tsx';
import { hostQuery } from './morning-queries.ts';

const LATE_SECONDS = 15 * 60;
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;
/** As the alarm `SelvageBackupOld` has it. */
const OLD_BACKUP_MS = 36 * 3_600_000;

/** The state of the host: what runs, and what is late or runs out. */
export function HostCard() {
  const t = useWords(morningWords);
  const query = useQuery(hostQuery);
  return (
    <MorningCard title={t.host} query={query}>
      {(host) => (
        <Facts
          rows={[
            [t.version, host.version],
            [t.since, fullDate(host.since)],
            [t.processes, <Processes key="processes" processes={host.processes} />],
            [t.engines, <Engines key="engines" host={host} />],
            [t.queue, <Lateness key="queue" seconds={host.queue_late_seconds} />],
            [t.jobs, <Lateness key="jobs" seconds={host.jobs_late_seconds} />],
            [t.backup, <LastBackup key="backup" at={host.last_backup} />],
            [t.disk, <DiskUse key="disk" disk={host.disk} />],
            [t.certificate, <Certificate key="certificate" certificate={host.certificate} />],
          ]}
        />
      )}
    </MorningCard>
  );
}

function Processes({ processes }: Pick<HostHealthDto, 'processes'>) {
  const t = useWords(morningWords);
  const missing = (['workers', 'inbound', 'submission', 'api'] as const).filter((name) => processes[name] === 0);
  if (missing.length === 0) return t.allRun(processes);
  return (
    <StateWord kind="bad" wraps>
      {t.notSeen({ names: missing.map((name) => t[name]).join(', ') })}
    </StateWord>
  );
}

function Engines({ host: { database, redis } }: { host: HostHealthDto }) {
  const t = useWords(morningWords);
  return (
    <>
      {database}
      <br />
      {redis ?? <StateWord kind="bad">{t.redisAway}</StateWord>}
    </>
  );
}

function Lateness({ seconds }: { seconds: number }) {
  const t = useWords(morningWords);
  if (seconds < 120) return <StateWord kind="good">{t.onTime}</StateWord>;
  return <StateWord kind={seconds < LATE_SECONDS ? 'waiting' : 'bad'}>{t.late({ time: span(seconds) })}</StateWord>;
}

function span(seconds: number): string {
  const t = wordsOf(morningWords);
  return seconds < 7200 ? t.minutes(Math.round(seconds / 60)) : t.hours(Math.round(seconds / 3600));
}

/** Whole days; less than 0 once the moment is past. */
function daysUntil(iso: string, now = Date.now()): number {
  return Math.floor((Date.parse(iso) - now) / DAY_MS);
}

function isOldBackup(at: string, now = Date.now()): boolean {
  return now - Date.parse(at) > OLD_BACKUP_MS;
}

function LastBackup({ at }: { at: string | null }) {
  const t = useWords(morningWords);
  if (at === null) return <StateWord kind="waiting">{t.noBackup}</StateWord>;
  const date = fullDate(at);
  if (!isOldBackup(at)) return date;
  return (
    <StateWord kind="bad" wraps>
      {t.oldBackup({ date })}
    </StateWord>
  );
}

function Certificate({ certificate }: Pick<HostHealthDto, 'certificate'>) {
  const t = useWords(morningWords);
  if (certificate === null) return <StateWord kind="waiting">{t.noCertificate}</StateWord>;
  const days = daysUntil(certificate.valid_to);
  return (
    <>
      {days < 0 ? (
        <StateWord kind="bad">{t.expired}</StateWord>
      ) : (
        <StateWord kind={days < SOON_DAYS ? 'bad' : 'good'} wraps>
          {t.validFor(days)}
        </StateWord>
      )}
      {certificate.is_self_signed && (
        <>
          {' '}
          <StateWord kind="waiting">{t.selfSigned}</StateWord>
        </>
      )}
    </>
  );
}
