import { type AuthenticationInput, authenticateMessage } from './authenticate-message.ts';
import { breakLines } from './break-lines.ts';
import { type CompletedMessage, completeHeaders, type CompletionInput } from './complete-headers.ts';
import { draftContent } from './draft-body.ts';
import { type Kind, kindOfFile, largestFile, textOfFile } from './file-text.ts';
import { type FittedMessage, fitLines, toSevenBit } from './fit-lines.ts';
import { calendarType, readInvitation } from './invitation.ts';
import { type MessageSource, parseMessage } from './parse-message.ts';
import type { MessageSummary, ParsedMessage, StorableSummary } from './parsed-message.ts';
import { sanitizeComposedHtml, sanitizeMailHtml } from './sanitize-html.ts';
import { searchedCharacters, searchedText } from './searched-text.ts';
import { type ShownMessage, showMessage } from './show-message.ts';
import { type SigningKey, signMessage } from './sign-message.ts';
import { StructureReader } from './structure/structure-json.ts';
import { textFromHtml, wordsFromHtml } from './text-from-html.ts';

/*
 * Everything that works on the content of a message. Each task runs in a thread, or in the process
 * itself for small messages. Input and output must survive a structured clone.
 */

/** A message on its way out, with what its rows keep. */
export interface CompletedSummary {
  completed: Extract<CompletedMessage, { kind: 'complete' }>;
  summary: StorableSummary;
}

/** A sent message as a draft again. */
export interface DraftParts {
  /** Its attachments are `related` where the body shows them. */
  summary: MessageSummary;
  body: string;
}

/** Text that a person wrote, fit to be sent. */
export interface ComposedText {
  html: string;
  text: string;
}

/** What a search index takes of a message. */
export interface SearchText {
  text: string;
  /** Names of its files, one a line. */
  files: string;
  /** Some of its files are of kinds that have words, which `searchFiles` reads. */
  hasWordsInFiles: boolean;
}

/** What the rows of a message keep of it. */
export async function summarise(source: MessageSource): Promise<StorableSummary> {
  const reader = new StructureReader();
  const parsed = await parseMessage(Buffer.isBuffer(source) ? source : passing(source, reader));
  if (Buffer.isBuffer(source)) reader.add(source);
  return { ...withoutText(parsed), structure: reader.finish() };
}

/** The MIME structure of a message, as `summarise` gives it. It fits every message. */
export async function readStructure(source: AsyncIterable<Uint8Array>): Promise<string> {
  const reader = new StructureReader();
  for await (const bytes of source) reader.add(bytes);
  return reader.finish();
}

/** The same bytes, which the reader sees as well. */
async function* passing(source: AsyncIterable<Uint8Array>, reader: StructureReader): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of source) {
    reader.add(bytes);
    yield bytes;
  }
}

/** SPF, DKIM, DMARC and ARC. */
export async function authenticate(raw: Buffer, input: AuthenticationInput) {
  return await authenticateMessage(raw, input);
}

/** A submitted message, made fit to leave; a refusal says why it may not. */
export async function complete(
  raw: Buffer,
  input: CompletionInput,
): Promise<CompletedSummary | Extract<CompletedMessage, { kind: 'refused' }>> {
  const completed = completeHeaders(raw, input);
  if (completed.kind === 'refused') return completed;
  // RFC 5322 2.1.1: servers on the way may break up lines of more than 998 bytes, and with them our
  // signature
  const fitted = fitLines(completed.raw);
  if (fitted.kind === 'refused') return { kind: 'refused', reason: 'line_too_long', text: fitted.text };
  return { completed: { ...completed, raw: fitted.raw }, summary: await summarise(fitted.raw) };
}

/** The DKIM-Signature field of a message. */
export function sign(raw: Buffer, key: SigningKey): string {
  return signMessage(raw, key);
}

/** A message in the form that a server without 8BITMIME takes. */
export function convert(raw: Buffer): FittedMessage {
  return toSevenBit(raw);
}

/** A message's text as its reader sees it; `asText` without its markup. */
export async function show(source: MessageSource, mark: string, asText: boolean): Promise<ShownMessage> {
  const keepContent = (_index: number, type: string): boolean => type === calendarType;
  const parsed = await parseMessage(source, { keepContent });
  return { ...showMessage(parsed, mark, asText), invitation: await findInvitation(parsed) };
}

/** Files of one message that are looked at. Most invitations come twice, in two forms. */
const mostCalendars = 3;

/** The first file of a message that is an invitation, and its position. */
async function findInvitation({ attachments }: ParsedMessage): Promise<ShownMessage['invitation']> {
  const calendars = attachments.filter(({ contentType, content }) => contentType === calendarType && content);
  for (const { index, content, charset } of calendars.slice(0, mostCalendars)) {
    const invitation = content && (await readInvitation(content, charset));
    if (invitation) return { index, ...invitation };
  }
  return null;
}

/** The facts of a message and the bytes of the files that are asked for by their index. */
export async function readFiles(source: MessageSource, indexes: readonly number[]): Promise<MessageSummary> {
  const wanted = new Set(indexes);
  return withoutText(await parseMessage(source, { keepContent: (index) => wanted.has(index) }));
}

/** All files and the text of a message for an editor. */
export async function readDraft(source: MessageSource): Promise<DraftParts> {
  const parsed = await parseMessage(source, { keepContent: true });
  const { body, attachments } = draftContent(parsed);
  return { summary: { ...withoutText(parsed), attachments }, body };
}

/** The words of a message and the names of its files. */
export async function searchText(source: MessageSource): Promise<SearchText> {
  const { attachments, ...forms } = await parseMessage(source);
  return {
    text: searchedText(forms),
    files: attachments
      .filter(({ related }) => !related)
      .map(({ filename }) => filename)
      .join('\n'),
    hasWordsInFiles: filesWithWords(attachments).size > 0,
  };
}

/** Files of one message whose words are taken. */
const mostSearchedFiles = 20;

/**
 * Processor time after which no further page or file is begun. A thread is ended later than that,
 * so that an honest book is found by its first pages.
 */
const filesCpuMs = 700;

/** The words of the files of a message. */
export async function searchFiles(open: () => MessageSource): Promise<string> {
  const begin = process.threadCpuUsage();
  const isOver = () => {
    const { user, system } = process.threadCpuUsage(begin);
    return (user + system) / 1000 >= filesCpuMs;
  };
  const { attachments } = await parseMessage(open());
  const wanted = filesWithWords(attachments);
  if (wanted.size === 0) return '';
  const texts: string[] = [];
  const files = await parseMessage(open(), { keepContent: (index) => wanted.has(index) });
  for (const { index, content } of files.attachments) {
    const kind = wanted.get(index);
    if (kind && content && !isOver()) texts.push(await textOfFile(kind, content, isOver));
  }
  return texts.join('\n').slice(0, searchedCharacters);
}

/** The files of a message whose words are taken, by their positions. */
function filesWithWords(attachments: ParsedMessage['attachments']): Map<number, Kind> {
  const found = attachments.flatMap((file) => {
    const kind = file.size <= largestFile ? kindOfFile(file) : null;
    return kind ? [[file.index, kind] as const] : [];
  });
  return new Map(found.slice(0, mostSearchedFiles));
}

/** The HTML of an editor and its plain text. */
export function composeText(html: string, contentIds: Map<string, string>): ComposedText {
  const clean = breakLines(sanitizeComposedHtml(html, { inlineImages: contentIds }));
  return { html: clean, text: textFromHtml(clean) };
}

/**
 * What a person has written so far, as an editor shows it again: nothing in it is fetched from
 * elsewhere.
 * @param pictures a word for each address of a picture of a quoted message; it becomes `cid:word`
 */
export function keepWriting(html: string, pictures: Map<string, string>): ComposedText {
  const clean = sanitizeComposedHtml(html, { inlineImages: pictures });
  const inlineImages = new Map([...pictures.values()].map((word) => [word, `cid:${word}`]));
  return { html: sanitizeMailHtml(clean, { inlineImages }).html, text: wordsFromHtml(clean) };
}

function withoutText({ text: _text, html: _html, ...summary }: ParsedMessage): MessageSummary {
  return summary;
}
