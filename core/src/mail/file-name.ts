const maxBytes = 255;
// Control characters, and characters that reverse or hide text: "exe.gnp" must not read "png.exe"
const unsafe = /[\p{Cc}\p{Cs}\u061c\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const extensions: Record<string, string> = {
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/rfc822-headers': 'txt',
  'text/vcard': 'vcf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/json': 'json',
  'application/ms-tnef': 'dat',
  'application/pgp-signature': 'asc',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-signature': 'p7s',
};

/**
 * The name under which a file is shown and saved: no path, no control or direction characters, at
 * most 255 bytes.
 */
export function safeFileName(name: string | null, contentType: string, index: number): string {
  const base = (name ?? '').slice(0, 10_000).split(/[/\\]/).at(-1) ?? '';
  const cleaned = base
    .replace(unsafe, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  // A leading dot hides a file, and some systems drop a trailing one
  const visible = cleaned.replace(/^[. ]+/, '').replace(/(^|[^. ])[. ]+$/, '$1');
  if (visible === '') return `attachment-${index + 1}.${extensions[contentType] ?? 'bin'}`;
  return shorten(reserved.test(visible) ? `_${visible}` : visible);
}

const types: Record<string, string> = {
  ...Object.fromEntries(Object.entries(extensions).map(([type, extension]) => [extension, type])),
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  htm: 'text/html',
  jpeg: 'image/jpeg',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  txt: 'text/plain',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The usual type for the extension of a file name, for a file without a type. */
export function typeByName(name: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? (types[ending] ?? '') : 'application/octet-stream';
}

/** Shortens a name before its extension to 255 bytes of UTF-8. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  const room = maxBytes - Buffer.byteLength(extension);
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    stem += character;
  }
  return stem + extension;
}
