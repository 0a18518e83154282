/** What the bytes of a message say about it, before anybody parses it. */
export interface Inspection {
  hasBareCr: boolean;
  hasNul: boolean;
  fromFields: number;
  receivedFields: number;
}

/** Headers longer than this are the parser's business to refuse. */
const inspectedHeaderBytes = 1_048_576;

/** Looks at the line ends and counts the header fields that the door decides by. */
export function inspectMessage(raw: Buffer): Inspection {
  const end = raw.subarray(0, inspectedHeaderBytes).indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? Math.min(raw.length, inspectedHeaderBytes) : end);
  return {
    hasBareCr: hasBareCr(raw),
    hasNul: raw.includes(0),
    fromFields: header.match(/^from[ \t]*:/gim)?.length ?? 0,
    receivedFields: header.match(/^received[ \t]*:/gim)?.length ?? 0,
  };
}

/** Byte by byte: a search from line to line takes ten times as long for a message of empty lines. */
function hasBareCr(raw: Buffer): boolean {
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === 0x0d && raw[at + 1] !== 0x0a) return true;
  }
  return false;
}
