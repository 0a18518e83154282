import type { DnsProblem } from '../contracts/domain-check.ts';
import type { DnsFailure } from './questions.ts';

/** What a check of one part found. */
export interface Found<T> {
  part: T;
  problems: DnsProblem[];
  /** No name server answered the question that decides about the part. */
  isUnanswered: boolean;
  /** A part that is not valid may be so only because a name server was silent. */
  isUnsure: boolean;
}

/** What name servers do that say nothing of a name. */
export const silenceOf = (failure: DnsFailure | null): string =>
  failure === null ? 'did not answer' : `answer with an error (${failure})`;

/** Where an error of the name servers mostly comes from. */
export const likelyCauses =
  'Mostly the DNSSEC records (DS) at the registrar are out of date, or the name servers have the domain no longer.';

/** Said of what no name server answered. */
export const noAnswer = (failure: DnsFailure | null): string =>
  `The name servers ${silenceOf(failure)}.${failure === null ? '' : ` ${likelyCauses}`}`;

/** A text without the marks that some forms of DNS providers keep around it and in it. */
export const unmarked = (text: string): string => text.replaceAll(/["\\]/g, '').trim();

/** Said of a record that would be good without those marks. */
export const markedText = (what: string): string =>
  `The ${what} record has quotation marks or backslashes in its text, so receivers don’t read it. Enter it without them.`;

/** Makes the problems of one part, with the record that mends each. */
export const problemsOf =
  (part: DnsProblem['part']) =>
  (text: string, record: DnsProblem['record'], level: DnsProblem['level'] = 'error'): DnsProblem => ({
    part,
    level,
    text,
    record,
  });

/** What a part says of itself: what mail suffers from. A warning stands in the list of problems. */
export const firstError = (problems: readonly DnsProblem[]): string | undefined =>
  problems.find(({ level }) => level === 'error')?.text;
