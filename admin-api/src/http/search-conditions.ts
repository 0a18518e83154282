import { escapeLike } from '@selvage/core/database/escape-like';
import { searchWords } from '@selvage/core/contracts/list';
import { cast, col, Op, type Utils, type WhereOptions, where as compare } from 'sequelize';

/*
 * A table may compute two columns. `search_text` is the text in which its records are searched, as
 * bytes in lower case. `search_is_ascii` says that this text is ASCII only, as for most records.
 * Comparing bytes is many times faster than comparing letters by a collation. In both cases, case
 * and accents make no difference.
 */

/** The conditions that find each word in records whose text is ASCII, and in all others. */
export function searchText(table: string, search: string): [inAscii: WhereOptions, beyondAscii: WhereOptions] {
  const text = `${table}.search_text`;
  const isInAscii = (value: boolean) => compare(col(`${table}.search_is_ascii`), Op.eq, value);
  const words = searchWords(search);
  return [
    { [Op.and]: [isInAscii(true), ...words.map((word) => inAsciiText(text, word))] },
    { [Op.and]: [isInAscii(false), ...words.map((word) => byCollation(text, word))] },
  ];
}

/** A pattern of LIKE for text around a word. */
export function patternOf(word: string): { [Op.like]: string } {
  return { [Op.like]: `%${escapeLike(word)}%` };
}

/**
 * Converts a column or another text for LIKE. Columns of addresses and domains compare byte by
 * byte, and comparing ASCII columns with any other letter fails.
 */
export function comparable(text: string | Utils.Fn | Utils.Literal) {
  return cast(typeof text === 'string' ? col(text) : text, 'char character set utf8mb4');
}

function inAsciiText(column: string, word: string) {
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return isAscii(plain) ? compare(col(column), patternOf(plain)) : byCollation(column, word);
}

const byCollation = (column: string, word: string) => compare(comparable(column), patternOf(word));

const isAscii = (text: string): boolean => /^[\0-\x7F]+$/.test(text);
