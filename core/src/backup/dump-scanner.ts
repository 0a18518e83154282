/*
 * Reads the rows of some tables out of a dump of mariadb-dump while the dump passes by. So what
 * is known of a snapshot comes from the very bytes that are restored later. A dump has each
 * statement on lines of its own, since line breaks inside a text are escaped:
 *
 *   INSERT INTO `table` (`column`, `column`) VALUES (1,'it\'s',NULL),
 *   (2,'b',0x00);
 *
 * Only the columns that are asked for are kept, so a row may have any size.
 */

/** The columns to read, by table. A table without columns is counted only. */
export type WantedColumns = Record<string, readonly string[]>;

/** One row: the wanted columns in their order; null for NULL. */
export type OnRow = (table: string, values: (string | null)[]) => void;

const [quote, backslash, newline, comma, opening, closing, semicolon] = [0x27, 0x5c, 0x0a, 0x2c, 0x28, 0x29, 0x3b];
const head = /^INSERT INTO `([^`]+)` \(([^)]*)\) VALUES $/;
const headEnd = ' VALUES ';
const insert = Buffer.from('INSERT INTO ');
/** No statement that this class reads has a longer beginning, or a wanted column a longer value. */
const mostKept = 16_384;

/** Feed it all chunks of a dump in their order. */
export class DumpScanner {
  readonly #wanted: WantedColumns;
  readonly #onRow: OnRow;
  #mode: 'line' | 'skip' | 'rows' | 'row' | 'text' = 'line';
  #line = '';
  #table = '';
  /** The place of each column of the statement among the wanted ones; -1 for the others. */
  #places: number[] = [];
  #column = 0;
  #values: (string | null)[] = [];
  #value = '';
  #isText = false;
  #isEscaped = false;
  #tail = '';

  constructor(wanted: WantedColumns, onRow: OnRow) {
    this.#wanted = wanted;
    this.#onRow = onRow;
  }

  /** True once the last line said that the dump is whole. */
  get isComplete(): boolean {
    return this.#tail.includes('-- Dump completed');
  }

  push(chunk: Buffer): void {
    this.#tail = (this.#tail + chunk.subarray(-100).toString('latin1')).slice(-100);
    for (let at = 0; at < chunk.length; ) {
      if (this.#mode === 'line') at = this.#readLine(chunk, at);
      else if (this.#mode === 'skip') at = this.#skipLine(chunk, at);
      else if (this.#mode === 'text') at = this.#readText(chunk, at);
      else if (this.#mode === 'rows') at = this.#betweenRows(chunk, at);
      else at = this.#readPlain(chunk, at);
    }
  }

  #skipLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(newline, at);
    if (end < 0) return chunk.length;
    this.#mode = 'line';
    this.#line = '';
    return end + 1;
  }

  /** Gathers the beginning of a line until it is that of a wanted INSERT, or can't be one. */
  #readLine(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (byte === newline) {
      this.#line = '';
      return at + 1;
    }
    this.#line += String.fromCharCode(byte);
    const length = this.#line.length;
    if (length <= insert.length && byte !== insert[length - 1]) this.#mode = 'skip';
    else if (length > mostKept) throw new Error('the dump has a statement that is not understood');
    else if (this.#line.endsWith(headEnd)) this.#beginRows();
    return at + 1;
  }

  #beginRows(): void {
    const [, table, columns] = head.exec(this.#line) ?? [];
    if (table === undefined || columns === undefined) throw new Error(`the dump has an unknown form: ${this.#line}`);
    const wanted = this.#wanted[table];
    this.#mode = wanted === undefined ? 'skip' : 'rows';
    this.#table = table;
    this.#places = columns.split(', ').map((name) => wanted?.indexOf(name.slice(1, -1)) ?? -1);
  }

  /** Rows of other tables are skipped line by line, so a skipped line may begin with a bracket. */
  #betweenRows(chunk: Buffer, at: number): number {
    const byte = chunk[at];
    if (byte === semicolon) this.#mode = 'skip';
    else if (byte === opening) {
      this.#mode = 'row';
      this.#column = 0;
      this.#values = [];
      this.#beginValue();
    }
    return at + 1;
  }

  #beginValue(): void {
    this.#value = '';
    this.#isText = false;
  }

  #readPlain(chunk: Buffer, at: number): number {
    const byte = chunk[at];
    if (byte === quote) {
      this.#mode = 'text';
      this.#isText = true;
    } else if (byte === comma || byte === closing) {
      this.#endValue();
      if (byte === closing) this.#endRow();
    } else this.#keep(chunk, at, at + 1);
    return at + 1;
  }

  /**
   * A doubled quote ends a text and begins the next one. The value loses the quote, which no wanted
   * column has.
   */
  #readText(chunk: Buffer, at: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#keep(chunk, at, at + 1);
      return at + 1;
    }
    let end = at;
    while (end < chunk.length && chunk[end] !== quote && chunk[end] !== backslash) end += 1;
    this.#keep(chunk, at, end);
    if (end === chunk.length) return end;
    if (chunk[end] === backslash) this.#isEscaped = true;
    else this.#mode = 'row';
    return end + 1;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if ((this.#places[this.#column] ?? -1) < 0) return;
    this.#value += chunk.toString('latin1', start, end);
    if (this.#value.length > mostKept) throw new Error(`a value of ${this.#table} in the dump is too long`);
  }

  #endValue(): void {
    const place = this.#places[this.#column] ?? -1;
    if (place >= 0) this.#values[place] = !this.#isText && this.#value === 'NULL' ? null : this.#value;
    this.#column += 1;
    this.#beginValue();
  }

  #endRow(): void {
    if (this.#column !== this.#places.length) throw new Error(`a row of ${this.#table} in the dump is not understood`);
    this.#mode = 'rows';
    this.#onRow(this.#table, this.#values);
  }
}
