import { Transform, type TransformCallback } from 'node:stream';

/** RFC 2045 6.8: a line of base64 has 76 characters; a longer line is read in pieces. */
const longestLine = 1000;
const wholeGroups = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=|=)?$/;

/**
 * Decodes the base64 of a text while it arrives. Lists and scanners add a footer without regard to
 * the encoding. So after padding or a blank line, a line that is not base64 begins the footer,
 * which is output unchanged.
 */
export class Base64TextDecoder extends Transform {
  /** The beginning of a line that has not ended yet. */
  private held = '';
  /** Characters that don't make a whole byte yet. */
  private signs = '';
  private state: 'before' | 'inside' | 'behindBlank' | 'behindPadding' | 'footer' = 'before';

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.held + Buffer.from(chunk as Buffer).toString('latin1');
    const out: Buffer[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0 && this.state !== 'footer'; end = text.indexOf('\n', start)) {
      this.readLine(text.slice(start, end + 1), out);
      start = end + 1;
    }
    this.held = text.slice(start);
    if (this.state === 'footer' || this.held.length > longestLine) this.takeHeld(out);
    out.push(this.takeSigns(this.signs.length % 4));
    done(null, Buffer.concat(out));
  }

  override _flush(done: TransformCallback): void {
    const out: Buffer[] = [];
    this.takeHeld(out);
    done(null, Buffer.concat([...out, this.takeSigns()]));
  }

  private takeHeld(out: Buffer[]): void {
    if (this.state === 'footer') out.push(Buffer.from(this.held, 'latin1'));
    else this.readLine(this.held, out);
    this.held = '';
  }

  private readLine(line: string, out: Buffer[]): void {
    const text = line.trim();
    if (this.beginsFooter(text)) {
      this.state = 'footer';
      out.push(this.takeSigns(), Buffer.from(`\r\n${line}`, 'latin1'));
    } else if (text === '') {
      if (this.state === 'inside') this.state = 'behindBlank';
    } else {
      this.signs += text.replace(/[^A-Za-z\d+/]+/g, '');
      if (text.endsWith('=')) {
        this.state = 'behindPadding';
        out.push(this.takeSigns());
      } else if (this.state !== 'behindPadding') this.state = 'inside';
    }
  }

  private beginsFooter(text: string): boolean {
    if (this.state === 'behindPadding') return !wholeGroups.test(text);
    return this.state === 'behindBlank' && /[^A-Za-z\d+/=]/.test(text);
  }

  /** The bytes of the characters so far, except for the last `left` ones. */
  private takeSigns(left = 0): Buffer {
    const end = this.signs.length - left;
    const bytes = Buffer.from(this.signs.slice(0, end), 'base64');
    this.signs = this.signs.slice(end);
    return bytes;
  }
}
