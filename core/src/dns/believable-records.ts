/*
 * A name server of a stranger may answer anything, and what reads the answer was made for honest
 * ones. Here an answer gets the size and form that an honest one has.
 */

/** More records of one type than any honest name has. */
const mostRecords = 200;

/** A longer record than any honest domain has, of SPF, of a key or of a policy. */
const mostCharacters = 8192;

/** An unknown mechanism: with it an SPF record that was cut is a `permerror` (RFC 7208 4.6). */
const mark = 'record-is-too-long';

/**
 * The TXT records of a name, each as one text. One that is too long is cut, so that it proves
 * nothing beyond the cut.
 */
export function believableTexts(records: readonly (readonly string[])[]): string[] {
  return believableRecords(records).map((pieces) => {
    const text = pieces.join('');
    return closeMacros(text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)} ${mark}`);
  });
}

/** The most records that an honest name has. */
export function believableRecords<T>(records: readonly T[]): T[] {
  return records.slice(0, mostRecords);
}

/**
 * Ends each term of an SPF record at a macro that is not closed, which is an error of the record
 * with or without what follows. The expression by which mailauth finds macros would read the rest
 * of the term again for each of them: seconds for one record.
 */
function closeMacros(text: string): string {
  if (!text.includes('%{')) return text;
  return text.split(/(\s+)/).map(endAtOpenMacro).join('');
}

function endAtOpenMacro(term: string): string {
  const open = term.indexOf('%{', term.lastIndexOf('}') + 1);
  return open === -1 ? term : term.slice(0, open + 1);
}
