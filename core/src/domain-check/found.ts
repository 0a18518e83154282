import type { DnsProblem } from '../contracts/domain-check.ts';
import type { DnsFailure } from './questions.ts';

/** What a check of one part found. */
export interface Found<T> {
  part: T;
  problems: DnsProblem[];
  /** No name server answered the question that decides about the part. */
  isUnanswered: boolean;
  /** The part may be invalid only because a name server was silent. */
  isUnsure: boolean;
}

/** What name servers without a usable answer do, as a part of a sentence. */
export const silenceOf = (failure: DnsFailure | null): string =>
  failure === null ? 'did not answer' : `answer with an error (${failure})`;

/** The usual cause of an error of the name servers. */
export const likelyCauses =
  'Mostly the DNSSEC records (DS) at the registrar are out of date, or the name servers have the domain no longer.';

/** The sentence for a question that no name server answered. */
export const noAnswer = (failure: DnsFailure | null): string =>
  `The name servers ${silenceOf(failure)}.${failure === null ? '' : ` ${likelyCauses}`}`;

/** A text without the quotation marks and backslashes that some DNS providers keep in it. */
export const unmarked = (text: string): string => text.replaceAll(/["\\]/g, '').trim();

/** The sentence for a record that would be good without those marks. */
export const markedText = (what: string): string =>
  `The ${what} record has quotation marks or backslashes in its text, so receivers don’t read it. Enter it without them.`;

/** Makes the problems of one part. Each has the record that would solve it. */
export const problemsOf =
  (part: DnsProblem['part']) =>
  (text: string, record: DnsProblem['record'], level: DnsProblem['level'] = 'error'): DnsProblem => ({
    part,
    level,
    text,
    record,
  });

/**
 * The text of the first error, which becomes the details of a part. A warning is only in the list
 * of problems.
 */
export const firstError = (problems: readonly DnsProblem[]): string | undefined =>
  problems.find(({ level }) => level === 'error')?.text;
