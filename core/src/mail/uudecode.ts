import { Transform, type TransformCallback } from 'node:stream';

const encodings = new Set(['x-uuencode', 'uuencode', 'x-uue', 'uue']);
/** A line of the encoding has 61 characters; a longer line is other text. */
const longestLine = 1000;
/** How many bytes are searched for the first line of the encoding. */
const longestPreamble = 65_536;

/** Whether a Content-Transfer-Encoding is one of the names of uuencode. */
export function isUuencode(encoding: string): boolean {
  return encodings.has(encoding);
}

/**
 * Decodes uuencode (POSIX uuencode, not a MIME standard) while it arrives. Text without a `begin`
 * line is not uuencode and is output unchanged, so that its reader misses nothing.
 */
export class UuDecoder extends Transform {
  private state: 'before' | 'inside' | 'over' | 'plain' = 'before';
  /** The beginning of a line that has not ended yet; in the state `before`, all lines so far. */
  private held = '';
  /** The position in `held` of the next line to read. */
  private lineAt = 0;

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = Buffer.from(chunk as Buffer);
    if (this.state === 'plain') return done(null, bytes);
    if (this.state === 'over') return done();
    this.held += bytes.toString('latin1');
    const out: Buffer[] = [];
    for (let end = this.held.indexOf('\n', this.lineAt); end >= 0; end = this.held.indexOf('\n', this.lineAt)) {
      this.readLine(this.held.slice(this.lineAt, end).replace(/\r$/, ''), out);
      this.lineAt = end + 1;
    }
    this.forget(out);
    done(null, Buffer.concat(out));
  }

  override _flush(done: TransformCallback): void {
    const out: Buffer[] = [];
    this.readLine(this.held.slice(this.lineAt).replace(/\r$/, ''), out);
    if (this.state === 'before') out.push(Buffer.from(this.held, 'latin1'));
    done(null, Buffer.concat(out));
  }

  private readLine(line: string, out: Buffer[]): void {
    if (this.state === 'before') {
      if (/^begin [0-7]{3,4} /.test(line)) this.state = 'inside';
    } else if (this.state === 'inside') {
      if (line === 'end') this.state = 'over';
      else out.push(decodeLine(line));
    }
  }

  private forget(out: Buffer[]): void {
    if (this.state !== 'before') {
      this.held = this.state === 'inside' ? this.held.slice(this.lineAt).slice(0, longestLine) : '';
      this.lineAt = 0;
    } else if (this.held.length > longestPreamble) {
      this.state = 'plain';
      out.push(Buffer.from(this.held, 'latin1'));
      this.held = '';
    }
  }
}

/**
 * The first character gives the number of bytes in the line. Servers may have removed spaces at its
 * end; they mean zeros.
 */
function decodeLine(line: string): Buffer {
  if (line.length > longestLine) return Buffer.alloc(0);
  const count = valueAt(line, 0);
  const out = Buffer.alloc(count);
  for (let at = 0; at < count; at++) {
    const group = 1 + Math.floor(at / 3) * 4 + (at % 3);
    const bits = (valueAt(line, group) << 6) | valueAt(line, group + 1);
    out[at] = (bits >> (4 - (at % 3) * 2)) & 0xff;
  }
  return out;
}

/** The six bits of a character: a space or a backquote is zero. */
function valueAt(line: string, at: number): number {
  return at < line.length ? (line.charCodeAt(at) - 0x20) & 0x3f : 0;
}
