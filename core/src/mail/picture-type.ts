/**
 * Pictures that browsers show without running code, recognised by their first bytes. The type that
 * a sender claims proves nothing.
 */
const pictures: { type: string; matches: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', matches: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  { type: 'image/jpeg', matches: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff },
  { type: 'image/gif', matches: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) },
  {
    type: 'image/webp',
    matches: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
  { type: 'image/avif', matches: (bytes) => /^ftypavi[fs]/.test(bytes.toString('latin1', 4, 12)) },
];

/** The type of a harmless picture, or null for everything else. */
export function pictureType(bytes: Buffer): string | null {
  return pictures.find(({ matches }) => matches(bytes))?.type ?? null;
}
