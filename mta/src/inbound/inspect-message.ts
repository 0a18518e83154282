import { setImmediate } from 'node:timers/promises';
import { decodeBinary } from '@selvage/core/mail/decode-bytes';
import { isAuthorMisread } from '@selvage/core/mail/checked-author';
import { countAuthors, isAuthorUnclear, maxFromLength } from '@selvage/core/mail/count-authors';

/** What the bytes of a message show before it is parsed. */
export interface Inspection {
  hasBareCr: boolean;
  hasNul: boolean;
  fromFields: number;
  /** Different addresses in the first From field. */
  fromAddresses: number;
  isFromTooLong: boolean;
  /**
   * Whether the name of the From field is written oddly, or the field shows an address whose domain
   * DMARC can't determine or would not check.
   */
  isFromUnclear: boolean;
  receivedFields: number;
}

/** Only this much of the header is inspected. The parser refuses longer headers. */
const inspectedHeaderBytes = 1_048_576;

/** Looks at the line ends and counts the header fields that the door decides by. */
export async function inspectMessage(raw: Buffer): Promise<Inspection> {
  const end = raw.subarray(0, inspectedHeaderBytes).indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? Math.min(raw.length, inspectedHeaderBytes) : end);
  const fromFields = header.match(/^from[ \t]*:/gim)?.length ?? 0;
  const from = (/^from[ \t]*:((?:.|\r\n[ \t])*)/im.exec(header)?.[1] ?? '').replaceAll('\r\n', '');
  return {
    hasBareCr: await hasBareCr(raw),
    hasNul: raw.includes(0),
    fromFields,
    fromAddresses: from.length > maxFromLength ? 0 : countAuthors(from),
    isFromTooLong: from.length > maxFromLength,
    isFromUnclear:
      hasOddFrom(header, fromFields) ||
      (from.length <= maxFromLength && (isAuthorUnclear(decodeBinary(from)) || isAuthorMisread(header, from))),
    receivedFields: header.match(/^received[ \t]*:/gim)?.length ?? 0,
  };
}

/**
 * Whether a header has a From field whose name mail programs trim, but the checks of the sender
 * don't recognise: with other white space around the name, or with the name or its colon on the
 * next line.
 * @param plain the number of From fields with the usual name
 */
function hasOddFrom(header: string, plain: number): boolean {
  const isLed = /^[ \t\v\f\x85\xa0]+from[ \t\v\f\x85\xa0]*:/i.test(header);
  const all = header.match(/^[\v\f\x85\xa0]*from(?:[ \t\v\f\x85\xa0]|\r\n[ \t])*:/gim)?.length ?? 0;
  return isLed || all !== plain || countTrimmed(header) !== plain;
}

/** The number of From fields for a program that trims names after it has joined folded lines. */
function countTrimmed(header: string): number {
  const joined = header.replaceAll(/\r\n(?=[ \t])/g, '');
  return joined.match(/^[ \t\v\f\xa0]*from[ \t\v\f\xa0]*:/gim)?.length ?? 0;
}

const windowBytes = 1_048_576;

/**
 * Whether a CR stands without an LF. It searches by a regular expression, which neither long lines
 * nor many empty lines slow down.
 */
async function hasBareCr(raw: Buffer): Promise<boolean> {
  for (let start = 0; start < raw.length; start += windowBytes) {
    // Between the windows of a large message, the event loop runs other work
    if (start > 0) await setImmediate();
    // One byte more, so that a CR at the end of a window is seen together with what follows it
    const found = raw.toString('latin1', start, start + windowBytes + 1).search(/\r(?!\n)/);
    if (found >= 0 && found < windowBytes) return true;
  }
  return false;
}
