import type { SetupExtra, SetupGuideDto, SetupStep } from '@selvage/core/contracts/setup-guide';
import { wordsOf } from '../../lib/i18n.ts';
import type { PreparedMail } from '../../lib/prepared-mail.ts';
import { saveFile } from '../../lib/save-file.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';

/** A record of the guide with the title that it has there. */
export interface TitledRecord {
  title: string;
  state: SetupStep['state'];
  record: SetupExtra['record'];
  /** Said beside the record; empty where there is nothing to say. */
  hint: string;
}

/** All records of the steps; that of the host's own name is the provider's, and left out. */
export function recordsOfSteps({ steps }: SetupGuideDto): TitledRecord[] {
  const t = wordsOf(setupGuideWords);
  return steps.flatMap(({ name, state, record }) => {
    if (record === null || name === 'a') return [];
    const hint = name === 'spf' && state !== 'done' ? t.inPlace : '';
    return [{ title: t[name], state, record, hint }];
  });
}

export function recordsOfExtras({ extras }: SetupGuideDto): TitledRecord[] {
  const t = wordsOf(setupGuideWords);
  return extras.map(({ name, state, record }) => ({ title: t[name], state, record, hint: '' }));
}

const isToAdd = ({ state }: TitledRecord): boolean => state !== 'done';

/**
 * What is left to add, as a message to the people who keep the DNS; null when there is nothing.
 */
export function mailOf(guide: SetupGuideDto): PreparedMail | null {
  const t = wordsOf(setupGuideWords);
  const domain = shownAddress(guide.domain);
  const needed = recordsOfSteps(guide).filter(isToAdd);
  const recommended = recordsOfExtras(guide).filter(isToAdd);
  const isAsWell = needed.length > 0;
  const parts = [
    ...(isAsWell ? [t.mailStart({ domain }), ...needed.map(linesOf)] : []),
    ...(recommended.length > 0
      ? [isAsWell ? t.mailAsWell : t.mailExtras({ domain }), ...recommended.map(linesOf)]
      : []),
  ];
  return parts.length === 0 ? null : { subject: t.mailSubject({ domain }), text: `${parts.join('\n\n')}\n` };
}

function linesOf({ title, record: { type, name, content }, hint }: TitledRecord): string {
  const t = wordsOf(dnsRecordWords);
  const rows = [
    [t.recordName, name],
    [t.type, type],
    [t.value, content],
  ];
  return [title, ...rows.map(([term, text]) => `${term}: ${text}`), ...(hint ? [hint] : [])].join('\n');
}

/** Saves the records as a zone file, which some providers of DNS can read. */
export function saveZoneFile({ domain, zone_file: text }: SetupGuideDto): void {
  saveFile(`${domain}.zone.txt`, new Blob([text], { type: 'text/plain' }));
}
