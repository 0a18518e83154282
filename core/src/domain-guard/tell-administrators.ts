import { domainToUnicode } from 'node:url';
import type { DnsProblem } from '../contracts/domain-check.ts';
import type { WatchedPart } from '../contracts/domain-guard.ts';
import type { Ctx } from '../context/context.ts';
import { holdsAlarms } from '../environment/host-state.ts';
import { findAdministrators } from '../directory/find-administrators.ts';
import { likelyCauses } from '../domain-check/found.ts';
import type { DnsFailure } from '../domain-check/questions.ts';
import type { Domain } from '../models/domain.ts';
import { DomainChange } from '../models/domain-change.ts';
import { sendNotice } from '../outbound/send-notice.ts';

/** What the administrators of a company are told of one of its domains. */
export interface News {
  broken: readonly WatchedPart[];
  mended: readonly WatchedPart[];
  /** The problems that the look found. */
  problems: readonly DnsProblem[];
  /** Days until the registration ends; null when no warning is due. */
  daysLeft: number | null;
  /**
   * Set once the administrators must hear that name servers don't answer, or answer with an error.
   */
  silence: { since: string; failure: DnsFailure | null } | null;
  answersAgain: boolean;
}

/** Says whether there is anything to tell. */
export function isNews({ broken, mended, daysLeft, silence, answersAgain }: News): boolean {
  return broken.length > 0 || mended.length > 0 || daysLeft !== null || silence !== null || answersAgain;
}

interface Mail {
  subject: string;
  lines: string[];
  /** The part of the domain's page that the link leads to. */
  page: '' | '?tab=check' | '?tab=history';
}

/**
 * Mails the news to the administrators of the domain's company, at their mailboxes and at their
 * confirmed recovery addresses: while mail for the domain goes elsewhere, they may not see their
 * mailboxes here. On a restored host the mails wait until its operator releases outgoing mail.
 */
export async function tellAdministrators(ctx: Ctx, domain: Domain, news: News): Promise<void> {
  const companyId = String(domain.companyId);
  const addresses = await findAdministrators(ctx, companyId);
  const [changes, isHeldBack] = [await lastChanges(ctx, domain, news.broken), await holdsAlarms(ctx)];
  for (const { subject, lines, page } of mailsOf(domain, news, changes)) {
    const text = ['Hello,', '', ...lines, '', `${ctx.app.config.url}/dashboard/domain/${domain.id}${page}`, ''];
    const mail = { companyId, subject, text: text.join('\n'), isHeldBack };
    for (const to of addresses) await sendNotice(ctx, { ...mail, to });
  }
}

/** The last change of each part, which usually shows why it is broken. */
async function lastChanges(ctx: Ctx, { id }: Domain, parts: readonly WatchedPart[]): Promise<DomainChange[]> {
  const found = await Promise.all(
    parts.map((part) =>
      DomainChange.findOne({
        where: { domainId: String(id), part, kind: 'changed' },
        order: [['id', 'DESC']],
        transaction: ctx.tx,
      }),
    ),
  );
  return found.filter((change) => change !== null);
}

function mailsOf({ domainName: asciiName }: Domain, news: News, changes: readonly DomainChange[]): Mail[] {
  const name = domainToUnicode(asciiName);
  const { broken, mended, daysLeft, silence, answersAgain } = news;
  const mails: (Mail | false)[] = [
    broken.length > 0 && {
      subject: `The DNS of ${name} has a problem`,
      lines: brokenLines(name, news, changes),
      page: '?tab=check',
    },
    silence !== null && {
      subject:
        silence.failure === null
          ? `No name server of ${name} answers`
          : `The name servers of ${name} answer with an error`,
      lines: silentLines(name, silence),
      page: '?tab=check',
    },
    (mended.length > 0 || answersAgain) && {
      subject: `The DNS of ${name} is right again`,
      lines: mendedLines(name, news),
      page: '?tab=history',
    },
    daysLeft !== null && {
      subject: `The domain ${name} expires ${inDays(daysLeft)}`,
      lines: expiryLines(name === asciiName ? name : `${name} (${asciiName})`, daysLeft),
      page: '',
    },
  ];
  return mails.filter((mail) => mail !== false);
}

const names: Record<WatchedPart, string> = {
  mx: 'where mail is delivered (MX)',
  spf: 'who may send (SPF)',
  dkim: 'the signing key (DKIM)',
  dmarc: 'what receivers do with forged mail (DMARC)',
};

function brokenLines(name: string, { broken, problems }: News, changes: readonly DomainChange[]): string[] {
  const isAbout = (part: DnsProblem['part']): boolean => part === 'dns' || broken.some((one) => one === part);
  const found = problems.filter(({ part, level }) => level === 'error' && isAbout(part));
  return [
    `something in the DNS of ${name} was changed, and its mail suffers from it. We have looked twice to be sure.`,
    'Ask the person who changed it, or correct it at the company that hosts the DNS, usually where you bought the domain.',
    ...found.flatMap(({ text, record }) => ['', text, ...(record ? recordLines(record) : [])]),
    ...changes.flatMap(({ part, beforeText, afterText, createdAt }) => [
      '',
      `The last change of ${part.toUpperCase()}, seen on ${createdAt.toUTCString()}:`,
      `  Before: ${beforeText ?? 'no record'}`,
      `  After:  ${afterText ?? 'no record'}`,
    ]),
    '',
    'You will hear of it once more, when it is right again. The page of the domain shows the present state:',
  ];
}

function recordLines({ name, type, content }: NonNullable<DnsProblem['record']>): string[] {
  return ['  The record as it should be:', `  Name:  ${name}`, `  Type:  ${type}`, `  Value: ${content}`];
}

function silentLines(name: string, { since, failure }: NonNullable<News['silence']>): string[] {
  const day = new Date(since).toUTCString();
  return [
    failure === null
      ? `no name server of ${name} has answered since ${day}. Other servers can't find out where to`
      : `the name servers of ${name} have answered with an error (${failure}) since ${day}. Other servers can't find out where to`,
    'deliver its mail. Ask the company that keeps the DNS, and check that the domain has not expired.',
    ...(failure === null ? [] : ['', likelyCauses]),
    '',
    'You will hear of it once more, when they answer again:',
  ];
}

function mendedLines(name: string, { mended, answersAgain }: News): string[] {
  return [
    `this was wrong in the DNS of ${name}, and is right again:`,
    '',
    ...mended.map((part) => `- ${names[part]}`),
    ...(answersAgain ? ['- its name servers answer'] : []),
    '',
    'There is nothing to do. The page of the domain shows its history:',
  ];
}

function expiryLines(name: string, daysLeft: number): string[] {
  return [
    `the registration of ${name} ends ${inDays(daysLeft)}. Without it no mail reaches the people of this domain, and`,
    'anybody may register the name. Please renew it where it is registered.',
    '',
    'The day was entered by your company. If the domain was renewed already, enter the new day on its page:',
  ];
}

function inDays(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
