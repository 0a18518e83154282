/** An element of BER with its length, or with an open end. */
function element(tag: number, content: readonly Buffer[], isOpen = false): Buffer {
  const bytes = Buffer.concat(content);
  if (isOpen) return Buffer.concat([Buffer.from([tag, 0x80]), bytes, Buffer.alloc(2)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, bytes]);
}

const oid = (hex: string) => element(0x06, [Buffer.from(hex, 'hex')]);
const signedData = oid('2a864886f70d010702');

/** The type of an encrypted file, in place of that of a signed one. */
export const envelopedData = oid('2a864886f70d010703');

interface Form {
  /** Lengths are left open, and the content comes in parts, as from a program that streams. */
  isStreamed?: boolean;
  type?: Buffer;
}

/** The file of an opaque S/MIME signature (smime.p7m) around a MIME entity. */
export function signatureAround(entity: Buffer | string, { isStreamed = false, type = signedData }: Form = {}): Buffer {
  const bytes = Buffer.from(entity);
  const parts = [bytes.subarray(0, 9), bytes.subarray(9)].map((part) => element(0x04, [part]));
  const octets = isStreamed ? element(0x24, parts, true) : element(0x04, [bytes]);
  const wrapped = element(0x30, [oid('2a864886f70d010701'), element(0xa0, [octets], isStreamed)], isStreamed);
  const signed = element(0x30, [element(0x02, [Buffer.from([1])]), element(0x31, []), wrapped], isStreamed);
  return element(0x30, [type, element(0xa0, [signed], isStreamed)], isStreamed);
}
