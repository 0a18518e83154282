import { decodeBytes } from '@selvage/core/mail/decode-bytes';
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fullName } from '@selvage/core/contracts/full-name';
import {
  type ImportDto,
  importColumns,
  maxGuessed,
  maxImportBytes,
  maxImportedUsers,
} from '@selvage/core/contracts/many-users';
import { type AppError, invalid, tooLarge } from '@selvage/core/errors';
import { CsvError, parse } from 'csv-parse';
import type { UploadedFile } from '../http/uploads.ts';
import { displayNameTitle, leftOutTitles, otherTitles, suspensionTitles } from './foreign-columns.ts';

export type Field = (typeof importColumns)[number]['field'];
export type Problem = ImportDto['problems'][number];

/** A row of the file by field; a column that the file lacks is empty. */
export interface ImportRow {
  line: number;
  values: Record<Field, string>;
  /** The person is suspended in the directory that the file was exported from. */
  isSuspended: boolean;
}

/** The content of a file. */
export interface ImportFile {
  /** SHA-256 of its bytes. */
  hash: string;
  rows: ImportRow[];
  problems: Problem[];
  /** Titles of its columns that an import ignores. */
  leftOut: string[];
  /**
   * Some of its values whose letters are a guess, since the encoding of the file is not certain.
   */
  guessed: string[];
}

const mebibyte = 1_048_576;
/** The most characters of a row. The longest values of all columns together have fewer. */
const maxRowLength = 8192;
/** The most values of a row, and blank rows of a file: empty values do not count as characters. */
const maxColumns = 100;
const maxBlankRows = 10_000;
const pieceBytes = 8192;

/**
 * Reads the rows of a CSV file (RFC 4180). It may be in UTF-8, UTF-16 with a byte order mark, or
 * Windows-1252, with commas, semicolons or tabs as delimiters. The titles in the first line name
 * the columns.
 * @throws 413, 422 when it is no such file or has too many rows
 */
export async function readImport(files: readonly UploadedFile[]): Promise<ImportFile> {
  const [file, ...more] = files;
  if (!file || file.field !== 'file' || more.length > 0) throw wrongFile('Send one CSV file, as the file "file".');
  if (file.size > maxImportBytes) {
    throw tooLarge(`"${file.name}" is too large: a file to import may have at most ${maxImportBytes / mebibyte} MB.`);
  }
  const bytes = await readFile(file.path);
  const { text, isCertain } = decode(bytes);
  if (text.includes('\0')) throw wrongFile(`"${file.name}" is no CSV file.`);
  // The line is emptied and not removed, so that the numbers of the other lines stay right
  const found = await readRows(text.replace(excelLine, ''));
  return { ...found, hash: hash('sha256', bytes), guessed: isCertain ? [] : guessedOf(found.rows) };
}

/** The error for a whole file. */
function wrongFile(text: string): AppError {
  return invalid({ file: text }, text);
}

/**
 * Spreadsheet programs write UTF-8 with or without a byte order mark, UTF-16, and the code page of
 * their country. Nothing in the file says which code page that is, so Windows-1252 is a guess.
 */
function decode(bytes: Buffer): { text: string; isCertain: boolean } {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const text = isUtf16 ? new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes) : decodeBytes(bytes);
  return { text, isCertain: isUtf16 || isUtf8(bytes) };
}

const mostShown = 100;

/** Values with letters that would differ in another code page, names first. */
function guessedOf(rows: readonly ImportRow[]): string[] {
  const names = rows.map(({ values }) => fullName(values));
  const others = rows.flatMap(({ values: { role, designation, country } }) => [role, designation, country]);
  const doubtful = [...names, ...others].filter((value) => /\P{ASCII}/u.test(value));
  return [...new Set(doubtful)].slice(0, maxGuessed).map((value) => value.slice(0, mostShown));
}

async function readRows(text: string): Promise<Omit<ImportFile, 'hash' | 'guessed'>> {
  const rows: ImportRow[] = [];
  const problems: Problem[] = [];
  let columns: Columns | null = null;
  let blankRows = 0;
  try {
    for await (const { record, info } of recordsOf(text)) {
      const { lines: line } = info;
      if (record.length > maxColumns) throw wrongFile(`Line ${line} has more than ${maxColumns} values.`);
      if (columns === null) columns = columnsOf(record, problems);
      else if (record.some((value) => value !== '')) rows.push(rowOf(record, columns, line));
      else blankRows += 1;
      if (blankRows > maxBlankRows) throw wrongFile('The file has too many empty rows.');
      // Without the right columns, the rows can't be checked
      if (problems.some((problem) => problem.line === 1)) break;
      if (record.slice(columns.count).some((value) => value !== '')) problems.push(tooManyValues(line));
      if (rows.length > maxImportedUsers) throw tooManyRows();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    problems.push(brokenRow(error));
  }
  if (columns === null && problems.length === 0) throw wrongFile('The file is empty.');
  return { rows, problems, leftOut: columns?.leftOut ?? [] };
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function recordsOf(text: string): AsyncIterable<CsvRecord> {
  return Readable.from(piecesOf(text), { objectMode: false }).pipe(
    parse({
      delimiter: delimiterOf(text),
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowLength,
    }),
  );
}

/** Yields small pieces with a pause after each, so that other requests are served meanwhile. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await setImmediate();
  }
}

/** A first line that tells Excel the delimiter. */
const excelLine = /^sep=([,;\t])(?=\r?\n)/i;

/** The delimiter that is most frequent in the line of titles. */
function delimiterOf(text: string): string {
  const [head = ''] = text
    .slice(0, maxRowLength)
    .trimStart()
    .split(/[\r\n]/, 1);
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** The position of each field in a row. */
interface Columns {
  positions: Map<Field, number>;
  /** The columns that tell whether a person is suspended. */
  suspensions: { position: number; isSuspended: (value: string) => boolean }[];
  /**
   * The column with display names, which are used only for people without a first and last name.
   */
  displayName: number | null;
  count: number;
  leftOut: string[];
}

/** The letters of a title in lower case, without a note in brackets such as “[Required]”. */
const plain = (title: string): string =>
  title
    .replaceAll(/\[[^[\]]*\]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

function fieldOf(title: string): Field | undefined {
  const letters = plain(title);
  return importColumns.find((known) => plain(known.title) === letters)?.field ?? otherTitles.get(letters);
}

function columnsOf(titles: string[], problems: Problem[]): Columns {
  const positions = new Map<Field, number>();
  const suspensions: Columns['suspensions'] = [];
  let displayName: number | null = null;
  const leftOut: string[] = [];
  const add = (column: string, message: string): unknown => problems.push({ line: 1, column, message });
  for (const [position, title] of titles.entries()) {
    if (title === '') continue;
    const field = fieldOf(title);
    const isSuspended = suspensionTitles.get(plain(title));
    const shown = title.slice(0, mostShown);
    if (field !== undefined && positions.has(field)) add(shown, 'This column is there twice');
    else if (field !== undefined) positions.set(field, position);
    else if (plain(title) === displayNameTitle) displayName = position;
    else if (isSuspended) suspensions.push({ position, isSuspended });
    else if (leftOutTitles.has(plain(title))) leftOut.push(shown);
    else add(shown, `This column is not known. Known are ${knownTitles}`);
  }
  for (const { field, title, isRequired } of importColumns) {
    if (isRequired && !positions.has(field)) add(title, 'This column is missing');
  }
  return { positions, suspensions, displayName, count: titles.length, leftOut };
}

const knownTitles = importColumns.map(({ title }) => title).join(', ');

function rowOf(record: string[], { positions, suspensions, displayName }: Columns, line: number): ImportRow {
  const found = importColumns.map(({ field }) => [field, record[positions.get(field) ?? -1] ?? '']);
  const values = Object.fromEntries(found) as Record<Field, string>;
  if (values.fname === '' && values.lname === '') values.fname = record[displayName ?? -1] ?? '';
  return {
    line,
    values,
    isSuspended: suspensions.some(({ position, isSuspended }) => isSuspended(record[position] ?? '')),
  };
}

function tooManyValues(line: number): Problem {
  return { line, column: '', message: 'This row has more values than there are columns' };
}

function tooManyRows(): AppError {
  const most = maxImportedUsers.toLocaleString('en');
  return wrongFile(`The file has more than ${most} people. Divide it into several files.`);
}

function brokenRow({ code, lines }: CsvError & { lines?: unknown }): Problem {
  const message = /QUOTE/.test(code)
    ? 'A quotation mark is missing, or there is one too many, so the file cannot be read from here on'
    : 'The file cannot be read from here on';
  return { line: Number(lines) || 1, column: '', message };
}
