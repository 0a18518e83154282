import { wordsOf } from '../../lib/i18n.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';

/** A part of a record as it is typed into a form elsewhere. */
export interface RecordLine {
  term: string;
  /** The same in the middle of a sentence. */
  what: string;
  text: string;
}

/** A record with its full name. */
interface FullRecord {
  type: string;
  name: string;
  content: string;
}

/** The parts of a record that a person adds to the DNS of a domain. */
export function linesOfRecord({ type, name, content }: FullRecord, domain: string): RecordLine[] {
  const t = wordsOf(dnsRecordWords);
  const short = nameWithin(name, domain);
  return [
    { term: t.recordName, what: t.theName, text: name },
    ...(short === null ? [] : [{ term: t.shortName, what: t.theShortName, text: short }]),
    { term: t.type, what: t.theType, text: type },
    ...linesOfContent(type, content),
  ];
}

/** A name as most forms want it: without the domain. Null where it is not a name of the domain. */
export function nameWithin(name: string, domain: string): string | null {
  if (name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : null;
}

/** Forms have two fields for an MX record. */
function linesOfContent(type: string, content: string): RecordLine[] {
  const t = wordsOf(dnsRecordWords);
  const [, priority, server] = (type === 'MX' && /^(\d+) (\S+?)\.?$/.exec(content)) || [];
  if (priority === undefined || server === undefined) return [{ term: t.value, what: t.theValue, text: content }];
  return [
    { term: t.priority, what: t.thePriority, text: priority },
    { term: t.mailServer, what: t.theMailServer, text: server },
  ];
}
