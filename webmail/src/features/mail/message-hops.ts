/** One step of a message's way: a server that took it, and from whom. */
export interface Hop {
  /** The server that handed it over, as the one that took it names it; null where it says none. */
  from: string | null;
  by: string;
  at: Date | null;
  /** Seconds since the step before; null where one of the two times is missing. */
  seconds: number | null;
}

const MOST_HOPS = 50;
const LONGEST_NAME = 100;

/** The header of a message's source: the text before the first empty line. */
export function headerOf(source: string): string {
  const end = source.search(/\r?\n\r?\n/);
  return end < 0 ? source : source.slice(0, end);
}

/**
 * The way of a message from its Received fields (RFC 5321 4.4), the first step first. Each server
 * writes its own field, so the fields below the first server that a reader trusts may be invented.
 */
export function hopsOf(header: string): Hop[] {
  const fields = header.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const received = fields.filter((field) => /^received:/i.test(field)).slice(0, MOST_HOPS);
  let before: Date | null = null;
  return received.toReversed().map((field) => {
    const at = timeOf(field);
    const seconds: number | null = at && before ? Math.round((at.getTime() - before.getTime()) / 1000) : null;
    before = at ?? before;
    return { from: wordAfter(field, 'from'), by: wordAfter(field, 'by') ?? '?', at, seconds };
  });
}

function wordAfter(field: string, word: 'from' | 'by'): string | null {
  // Comments are removed, because they may contain the same words
  const plain = field.slice(0, 4000).replace(/\([^()]*\)/g, ' ');
  const [, name] = new RegExp(`[\\s:]${word}\\s+([^\\s;]+)`, 'i').exec(plain) ?? [];
  return name === undefined ? null : name.slice(0, LONGEST_NAME);
}

function timeOf(field: string): Date | null {
  const text = field.slice(field.lastIndexOf(';') + 1).replace(/\([^()]*\)/g, ' ');
  const time = new Date(text.trim());
  return field.includes(';') && !Number.isNaN(time.getTime()) ? time : null;
}
