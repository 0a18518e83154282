import type { ForwardedToDto, MailAccessDto } from '@selvage/core/contracts/mail-access';
import { readMailAccess } from '@selvage/core/contracts/mail-access';
import type { BackupReaderDto } from '@selvage/core/contracts/mail-backups';
import { Badge, Button } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { TextLink } from '../../../components/TextLink.tsx';
import { api } from '../../../lib/api.ts';
import { fullDate, fullDay } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { shownAddress } from '../../../lib/shown-address.ts';
import { lastUse } from '../../../lib/ways-in.ts';
import { backupWords } from '../../../words/backups.ts';
import { mailAccessWords } from '../../../words/mail-access.ts';
import { accountKeys } from '../queries.ts';

/** One line of the list: what could let another person read the mail. */
interface Row {
  key: string;
  title: string;
  badge?: { word: string; isOver: boolean };
  details: string[];
  /** Where it is ended: a section of this page, by its id. */
  section?: string;
  isForwarding?: boolean;
}

/**
 * People with a copy of the person's mail, addresses that get copies, and other ways into the
 * account.
 */
export function MailAccessSection() {
  const t = useWords(mailAccessWords);
  const { data, error, refetch } = useQuery({
    queryKey: accountKeys.mailAccess,
    queryFn: ({ signal }) => api(readMailAccess, { signal }),
  });
  return (
    <Section title={t.title} hint={t.hint}>
      <RecordList
        label={t.title}
        rows={data && rowsOf(data)}
        error={error}
        empty={t.none}
        onRetry={() => void refetch()}
        renderRow={({ key, badge, ...row }) => (
          <RecordRow
            key={key}
            title={row.title}
            badge={
              badge && (
                <Badge appearance="tint" color={badge.isOver ? 'subtle' : 'brand'}>
                  {badge.word}
                </Badge>
              )
            }
            details={row.details}
            actions={actionOf(row)}
          />
        )}
      />
    </Section>
  );
}

/** Rows that are in force come before rows that are over. */
function rowsOf(access: MailAccessDto): Row[] {
  const rows = [
    ...access.copies.map(ofCopy),
    ...access.archives.map(ofArchive),
    ...access.forwarded_to.map(ofForwarding),
    ...ofWaysIn(access),
    ...access.administrators.map(ofAct),
  ];
  return [...rows.filter(({ badge }) => !badge?.isOver), ...rows.filter(({ badge }) => badge?.isOver)];
}

function ofCopy({ _id, name, email, given_by: giver, createdAt, openedAt, deletedAt }: BackupReaderDto): Row {
  const t = wordsOf(backupWords);
  return {
    key: `copy-${_id}`,
    title: wordsOf(mailAccessWords).name({ name, email: shownAddress(email) }),
    badge: deletedAt === null ? { word: t.canRead, isOver: false } : { word: t.wasDeleted, isOver: true },
    details: [
      t.givenBy({ name: giver, time: fullDate(createdAt) }),
      openedAt === null ? t.neverOpened : t.opened({ day: fullDay(openedAt) }),
      ...(deletedAt === null ? [] : [t.removed({ time: fullDate(deletedAt) })]),
    ],
  };
}

function ofArchive({ _id, name, createdAt, is_kept: isKept }: MailAccessDto['archives'][number]): Row {
  const t = wordsOf(mailAccessWords);
  return {
    key: `archive-${_id}`,
    title: t.inArchive({ name }),
    badge: isKept ? { word: t.archiveKept, isOver: false } : { word: t.archiveGone, isOver: true },
    details: [fullDate(createdAt)],
  };
}

function ofForwarding({ address, since, until, is_filtered: isFiltered }: ForwardedToDto): Row {
  const t = wordsOf(mailAccessWords);
  const title = shownAddress(address);
  const key = `forwarding-${since}`;
  const scope = isFiltered ? t.filtered : t.all;
  if (until !== null) {
    const time = t.fromTo({ since: fullDate(since), until: fullDate(until) });
    return { key, title, badge: { word: t.ended, isOver: true }, details: [scope, time] };
  }
  return {
    key,
    title,
    badge: { word: t.getsCopies, isOver: false },
    details: [scope, t.since({ time: fullDate(since) })],
    isForwarding: true,
  };
}

function ofWaysIn(access: MailAccessDto): Row[] {
  const t = wordsOf(mailAccessWords);
  const ways = [
    { key: 'sessions', way: access.other_sessions, title: t.otherSessions },
    { key: 'app-passwords', way: access.app_passwords, title: t.appPasswords },
    { key: 'passkeys', way: access.passkeys, title: t.passkeys },
  ];
  return ways
    .filter(({ way }) => way.count > 0)
    .map(({ key, way, title }) => ({
      key,
      title: title(way.count),
      details: [lastUse(way.last_used)],
      section: key,
    }));
}

function ofAct({ _id, action, name: given, ip, createdAt }: MailAccessDto['administrators'][number]): Row {
  const t = wordsOf(mailAccessWords);
  // What is done on the host itself comes from no network
  const name = given ?? (ip === '' ? t.operator : t.removedPerson);
  const [title, section] = {
    'password:set-by-administrator': [t.setPassword, 'password'] as const,
    'password:link-mailed': [t.mailedLink, 'password'] as const,
    'password:set-by-link': [t.setByLink, 'password'] as const,
    'recovery-email:changed': [t.enteredRecovery, 'recovery-email'] as const,
    'two-factor:off': [t.turnedOff, 'two-factor'] as const,
  }[action];
  return {
    key: `act-${_id}`,
    title: title({ name }),
    badge: { word: t.administrator, isOver: true },
    details: [fullDate(createdAt), ...(ip === '' ? [] : [t.from({ ip })])],
    section,
  };
}

function actionOf({ title, section, isForwarding }: Omit<Row, 'key' | 'badge'>): ReactNode {
  const t = wordsOf(mailAccessWords);
  if (isForwarding) return <TextLink to="?activeTab=forwarding">{t.forwarding}</TextLink>;
  if (section === undefined) return null;
  return (
    <Button size="small" aria-label={t.showNamed({ what: title })} onClick={() => goTo(section)}>
      {t.show}
    </Button>
  );
}

/** Leads to a section of this page, where a person at a keyboard goes on. */
function goTo(section: string): void {
  const found = document.getElementById(section);
  found?.scrollIntoView({ block: 'start' });
  found?.focus({ preventScroll: true });
}
