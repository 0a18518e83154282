import { badRequest, tooLarge } from '@selvage/core/errors';
import { IncomingForm, MultipartParser, type Part } from 'formidable';

/**
 * The header of a part names its field, and for a file also its name and type. Formidable parses it
 * in a time that grows with the square of its length: 4 KB take less than a millisecond.
 */
const partHeaderLimit = 4096;

/**
 * A plugin of formidable that decides which parts of a form are files: those with a file name (RFC
 * 7578 4.2). Formidable goes by their type, but scripts send files without one, and programs give
 * texts the type `text/plain`. It refuses text that is not UTF-8, and headers that are too long.
 */
export function readParts(form: object): void {
  if (!(form instanceof IncomingForm && '_parser' in form && form._parser instanceof MultipartParser)) return;
  const parser = form._parser;
  const refuse: Refuse = (error) => {
    // At the end of the form, its last part would be taken before the parser tells its error
    form.emit('error', error);
    parser.destroy(error);
  };
  checkHeaders(parser, refuse);
  form.onPart = (part) => {
    if (part.originalFilename === null) asText(part, refuse);
    else part.mimetype ||= 'application/octet-stream';
    return form._handlePart(part);
  };
}

/** Ends the reading of a form. */
type Refuse = (error: Error) => void;

/** Has formidable read a part as text, which it has already freed from base64. */
function asText(part: Part, refuse: Refuse): void {
  part.mimetype = null;
  // Formidable passes the part's own encoding to Node, which knows neither `7bit` nor `8bit`
  Object.assign(part, { transferEncoding: 'utf-8' });
  const check = checkUtf8(refuse);
  part.on('data', check);
  part.on('end', check);
}

/** Refuses a header of a part before formidable searches it for the name of a file. */
function checkHeaders(parser: InstanceType<typeof MultipartParser>, refuse: Refuse): void {
  let bytes = 0;
  const check = checkUtf8(refuse);
  // Formidable's listener is already there. The check must run before it, so that formidable never
  // gets more than the limit
  parser.prependListener('data', ({ name, buffer, start, end }: ParserEvent) => {
    if (name === 'partBegin') bytes = 0;
    if (name === 'headerEnd') check();
    if (name !== 'headerField' && name !== 'headerValue') return;
    bytes += end - start;
    if (bytes > partHeaderLimit) refuse(tooLarge('The header of a part of the form is too long.'));
    else check(buffer.subarray(start, end));
  });
}

interface ParserEvent {
  name: string;
  buffer: Buffer;
  start: number;
  end: number;
}

/** A function that takes the bytes of a text in pieces, and is called without any at its end. */
function checkUtf8(refuse: Refuse): (piece?: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      refuse(badRequest('The form has text that is not UTF-8.', 'malformed_body'));
    }
  };
}
