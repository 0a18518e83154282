const lf = 0x0a;
const cr = 0x0d;

/**
 * The same text with CRLF at the end of each line, instead of CRLF, a bare CR or a bare LF, and
 * without NUL. Takes linear time. With a bare CR or LF, an attacker could make another server see
 * the end of the message too early (SMTP smuggling).
 */
export function normaliseLineEnds(raw: Buffer): Buffer {
  if (isNormal(raw)) return raw;
  const out = Buffer.allocUnsafe(raw.length * 2);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] ?? 0;
    if (byte === cr || byte === lf) {
      if (byte === cr && raw[at + 1] === lf) at++;
      out[length++] = cr;
      out[length++] = lf;
    } else if (byte !== 0) {
      out[length++] = byte;
    }
  }
  return Buffer.from(out.subarray(0, length));
}

function isNormal(raw: Buffer): boolean {
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at];
    if (byte === 0) return false;
    if (byte === cr && raw[at + 1] !== lf) return false;
    if (byte === lf && raw[at - 1] !== cr) return false;
  }
  return true;
}

/** Offset of the body, after the blank line; the length of the message when it has no body. */
export function bodyOffset(raw: Buffer): number {
  if (raw[0] === cr && raw[1] === lf) return 2;
  const blank = raw.indexOf('\r\n\r\n');
  return blank < 0 ? raw.length : blank + 4;
}
