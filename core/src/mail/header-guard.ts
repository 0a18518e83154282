/** Bounds of the header of a whole message. */
export interface HeaderLimits {
  /** The most bytes of the whole header, with its line ends. */
  maxHeaderBytes: number;
  maxHeaderLines: number;
  maxHeaderFields: number;
  /** The most bytes of one field, with its continuation lines. */
  maxFieldBytes: number;
}

/**
 * The bounds, unless the caller sets others. Postfix accepts fields of 100 KiB and Exchange headers
 * of 256 KiB, so other servers have already refused mail beyond these bounds. Some code that reads
 * a header takes quadratic time; at these bounds that is tens of milliseconds.
 */
export const defaultHeaderLimits: HeaderLimits = {
  maxHeaderBytes: 262_144,
  maxHeaderLines: 4000,
  maxHeaderFields: 1000,
  maxFieldBytes: 102_400,
};

/** The bound that a header exceeds. */
export type HeaderProblem = 'header_too_large' | 'too_many_header_lines' | 'too_many_fields' | 'field_too_long';

const cr = 0x0d;
const lf = 0x0a;
const space = 0x20;
const tab = 0x09;

/**
 * Measures a header while its bytes arrive, in pieces of any length, and sets `problem` as soon as
 * it exceeds a bound. Takes linear time and no memory. A bare CR or LF ends a line too, as it does
 * after `normaliseLineEnds`.
 */
export class HeaderGuard {
  /** The first bound that was exceeded; null while there is none. */
  problem: HeaderProblem | null = null;
  bytes = 0;
  lines = 0;
  fields = 0;
  longestField = 0;
  private readonly limits: HeaderLimits;
  private isComplete = false;
  private lineLength = 0;
  private fieldBytes = 0;
  private isAfterCr = false;

  constructor(limits: HeaderLimits = defaultHeaderLimits) {
    this.limits = limits;
  }

  /** Adds the next bytes of the message; those of its body are ignored. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.isComplete && this.problem === null; at++) this.take(bytes[at] ?? 0);
  }

  private take(byte: number): void {
    if (this.isAfterCr && byte !== lf) this.endLine();
    if (this.isComplete) return;
    this.isAfterCr = byte === cr;
    this.bytes++;
    if (byte === lf) this.endLine();
    else if (byte !== cr) this.takeText(byte);
    this.fieldBytes++;
    if (this.fieldBytes > this.longestField) this.longestField = this.fieldBytes;
    if (this.longestField > this.limits.maxFieldBytes) this.problem = 'field_too_long';
    else if (this.bytes > this.limits.maxHeaderBytes) this.problem = 'header_too_large';
  }

  private takeText(byte: number): void {
    this.lineLength++;
    // RFC 5322 2.2.3: a line that begins with white space continues the field before it
    if (this.lineLength > 1 || byte === space || byte === tab) return;
    this.fieldBytes = 0;
    this.fields++;
    if (this.fields > this.limits.maxHeaderFields) this.problem = 'too_many_fields';
  }

  private endLine(): void {
    this.isAfterCr = false;
    if (this.lineLength === 0) {
      this.isComplete = true;
      return;
    }
    this.lineLength = 0;
    this.lines++;
    if (this.lines > this.limits.maxHeaderLines) this.problem = 'too_many_header_lines';
  }
}

/** Measures the header of a whole message. */
export function measureHeader(raw: Uint8Array, limits: HeaderLimits = defaultHeaderLimits): HeaderGuard {
  const guard = new HeaderGuard(limits);
  guard.add(raw);
  return guard;
}
