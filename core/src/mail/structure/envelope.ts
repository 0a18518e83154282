import addressparser from 'nodemailer/lib/addressparser';
import { cutToLength } from '../cut-text.ts';
import { findFields, type HeaderValues, readText } from './header-block.ts';
import { type Envelope, type EnvelopeAddress, type EnvelopeMailbox, structureLimits } from './message-structure.ts';
import { partFieldNames } from './part-fields.ts';

const texts = { date: 'date', subject: 'subject', inReplyTo: 'in-reply-to', messageId: 'message-id' } as const;
const lists = {
  from: 'from',
  sender: 'sender',
  replyTo: 'reply-to',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
} as const;

const wanted: ReadonlySet<string> = new Set([...partFieldNames, ...Object.values(texts), ...Object.values(lists)]);

/** The fields of a message's header: those of its envelope, and those that describe its body. */
export function findMessageFields(block: string): HeaderValues {
  return findFields(block, wanted);
}

/** Reads the envelope of a message. */
export function readEnvelope(values: HeaderValues): Envelope {
  const envelope: Envelope = {};
  for (const [key, name] of Object.entries(texts) as [keyof typeof texts, string][]) {
    const text = readText(values.get(name)?.[0] ?? '');
    if (text !== '') envelope[key] = text;
  }
  const room = { bytes: structureLimits.addressBytes as number };
  for (const [key, name] of Object.entries(lists) as [keyof typeof lists, string][]) {
    const raw = (values.get(name) ?? []).join(', ');
    if (raw === '') continue;
    const read = readAddresses(raw.slice(0, structureLimits.fieldLength));
    const kept = cutToRoom(read, room);
    if (kept.length > 0) envelope[key] = kept;
    if (kept.length < read.length || raw.length > structureLimits.fieldLength) envelope.isCut = true;
  }
  return envelope;
}

function readAddresses(raw: string): EnvelopeAddress[] {
  const text = readText(raw, structureLimits.fieldLength);
  return readPlainList(text) ?? addressparser(text).flatMap((entry) => readAddress(entry) ?? []);
}

const special = /["():;\\[\]]/;
const plainMailbox = /^(?:[^<>@]*<([^<>@\s]+@[^<>@\s]+)>|[^<>@\s]+@[^<>@\s]+)$/;

/**
 * Reads a list of names without special characters, for which no parser is needed, as for most
 * lists. Null for any other list.
 */
function readPlainList(text: string): EnvelopeAddress[] | null {
  if (special.test(text)) return null;
  const list: EnvelopeAddress[] = [];
  for (const entry of text.split(',').map((piece) => piece.trim())) {
    const match = plainMailbox.exec(entry);
    if (match === null) return null;
    const [, address] = match;
    const mailbox = address === undefined ? { address: entry } : { name: entry.slice(0, entry.indexOf('<')), address };
    const read = readMailbox(mailbox);
    if (read) list.push(read);
  }
  return list;
}

function readAddress(entry: addressparser.AddressOrGroup): EnvelopeAddress | null {
  if (!('group' in entry) || entry.group === undefined) return readMailbox(entry);
  return { group: readPlain(entry.name), members: entry.group.flatMap((one) => readMailbox(one) ?? []) };
}

function readMailbox({ name, address }: { name?: string; address?: string }): EnvelopeMailbox | null {
  const [shown, text] = [readPlain(name ?? ''), readPlain(address ?? '')];
  if (shown === '' && text === '') return null;
  const at = text.lastIndexOf('@');
  const mailbox = at < 0 ? { mailbox: text, host: '' } : { mailbox: text.slice(0, at), host: text.slice(at + 1) };
  return shown === '' ? mailbox : { name: shown, ...mailbox };
}

function readPlain(text: string): string {
  const { textLength } = structureLimits;
  return cutToLength(text.slice(0, textLength).trim(), textLength);
}

/**
 * Subtracts the size of the list as JSON from the room, and cuts the list where there is no more.
 */
function cutToRoom(list: EnvelopeAddress[], room: { bytes: number }): EnvelopeAddress[] {
  const all = Buffer.byteLength(JSON.stringify(list));
  if (all <= room.bytes) {
    room.bytes -= all;
    return list;
  }
  for (const [index, address] of list.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(address)) + 1;
    if (bytes > room.bytes) {
      room.bytes = 0;
      return list.slice(0, index);
    }
    room.bytes -= bytes;
  }
  return list;
}
