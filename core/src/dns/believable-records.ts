/*
 * A stranger's name server may answer anything, and the libraries that read the answers were made
 * for honest ones. These functions cut an answer to the size and form of an honest one.
 */

/** No honest name has more records of one type. */
const mostRecords = 200;

/** No honest domain has a longer record, be it SPF, a key or a policy. */
const mostCharacters = 8192;

/** An unknown mechanism. It makes an SPF record that was cut a `permerror` (RFC 7208 4.6). */
const mark = 'record-is-too-long';

/** The TXT records of a name, each as one text. */
export function believableTexts(records: readonly (readonly string[])[]): string[] {
  return believableRecords(records).map((pieces) => believableText(pieces.join('')));
}

/**
 * The text of a TXT record. One that is too long is cut, so that it proves nothing beyond the cut.
 */
export function believableText(text: string): string {
  return closeMacros(text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)} ${mark}`);
}

/** At most as many records as an honest name has. */
export function believableRecords<T>(records: readonly T[]): T[] {
  return records.slice(0, mostRecords);
}

/**
 * Cuts each term of an SPF record at a macro that is not closed, which is an error of the record
 * with or without the rest of the term. The regular expression by which mailauth finds macros would
 * read that rest again for each open macro, which takes seconds for one record.
 */
function closeMacros(text: string): string {
  if (!text.includes('%{')) return text;
  return text.split(/(\s+)/).map(endAtOpenMacro).join('');
}

function endAtOpenMacro(term: string): string {
  const open = term.indexOf('%{', term.lastIndexOf('}') + 1);
  return open === -1 ? term : term.slice(0, open + 1);
}
