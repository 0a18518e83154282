import { longestText } from '../contracts/mail.ts';
import type { AuthenticationInput } from './authenticate-message.ts';
import { breakLines } from './break-lines.ts';
import { type CompletedMessage, completeHeaders, type CompletionInput } from './complete-headers.ts';
import { type Answers, resolverOf } from './dns-answers.ts';
import { draftContent } from './draft-body.ts';
import { type Kind, kindOfFile, largestFile, textOfFile } from './file-text.ts';
import { type FittedMessage, fitLines, toSevenBit } from './fit-lines.ts';
import { calendarTypes, readInvitation } from './invitation.ts';
import { type MessageSource, parseMessage } from './parse-message.ts';
import {
  type MessageSummary,
  MessageTooComplex,
  type ParsedMessage,
  type ParseLimits,
  type StorableSummary,
} from './parsed-message.ts';
import { sanitizeComposedHtml, sanitizeMailHtml } from './sanitize-html.ts';
import { searchedCharacters, searchedText } from './searched-text.ts';
import { type ShownMessage, showMessage } from './show-message.ts';
import { type SigningKey, signMessage } from './sign-message.ts';
import { StructureReader } from './structure/structure-json.ts';
import { textFromHtml, wordsFromHtml } from './text-from-html.ts';

/*
 * All work on the content of a message. Each task runs in a thread, or in the process itself for
 * small messages. Input and output must survive a structured clone.
 */

/** A completed outgoing message, with the summary for its rows. */
export interface CompletedSummary {
  completed: Extract<CompletedMessage, { kind: 'complete' }>;
  summary: StorableSummary;
}

/** A sent message as a draft again. */
export interface DraftParts {
  /** Its attachments are `related` if the body shows them. */
  summary: MessageSummary;
  body: string;
}

/** Text that a person wrote, fit to be sent. */
export interface ComposedText {
  html: string;
  text: string;
}

/** The parts of a message that a search index stores. */
export interface SearchText {
  text: string;
  /** Names of its files, one per line. */
  files: string;
  /** Whether some of its files are of kinds that `searchFiles` can read. */
  hasWordsInFiles: boolean;
}

/** Stricter bounds than the usual ones. */
type Limits = Partial<ParseLimits>;

/** The fields of a message that its rows store. */
export async function summarise(source: MessageSource, limits?: Limits): Promise<StorableSummary> {
  const reader = new StructureReader();
  const parsed = await parseMessage(Buffer.isBuffer(source) ? source : passing(source, reader), limits);
  if (Buffer.isBuffer(source)) reader.add(source);
  return { ...withoutText(parsed), structure: reader.finish() };
}

/** The MIME structure of a message, as in the result of `summarise`. It works for every message. */
export async function readStructure(source: AsyncIterable<Uint8Array>): Promise<string> {
  const reader = new StructureReader();
  for await (const bytes of source) reader.add(bytes);
  return reader.finish();
}

/** Yields the same bytes, and passes them to the reader as well. */
async function* passing(source: AsyncIterable<Uint8Array>, reader: StructureReader): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of source) {
    reader.add(bytes);
    yield bytes;
  }
}

/**
 * Loads what authenticates messages, which takes as long as a third of all else that a process
 * loads. Only the inbound process authenticates, and loads it at its start. The promise is kept,
 * since even an `import` of a module that is loaded takes a hundredth of a message's time.
 */
const importAuthentication = () => import('./authenticate-message.ts');
let authentication: ReturnType<typeof importAuthentication> | undefined;
const loadAuthentication = () => (authentication ??= importAuthentication());

/** SPF, DKIM, DMARC and ARC. */
export async function authenticate(raw: Buffer, input: AuthenticationInput) {
  const { authenticateMessage } = await loadAuthentication();
  return await authenticateMessage(raw, input);
}

/** The same by these answers of the DNS alone; `missing` has what else must be asked. */
export async function authenticateByAnswers(
  raw: Buffer,
  input: Omit<AuthenticationInput, 'resolver'>,
  answers: Answers,
) {
  const { authenticateMessage } = await loadAuthentication();
  const { resolver, missing } = resolverOf(answers);
  return { results: await authenticateMessage(raw, { ...input, resolver }), missing };
}

/** Makes a submitted message fit to send; a refusal says why it can't be sent. */
export async function complete(
  raw: Buffer,
  input: CompletionInput,
  limits?: Limits,
): Promise<CompletedSummary | Extract<CompletedMessage, { kind: 'refused' }>> {
  const completed = completeHeaders(raw, input);
  if (completed.kind === 'refused') return completed;
  // RFC 5322 2.1.1: other servers may break lines of more than 998 bytes, which would break our
  // signature
  const fitted = fitLines(completed.raw);
  if (fitted.kind === 'refused') return { kind: 'refused', reason: 'line_too_long', text: fitted.text };
  return { completed: { ...completed, raw: fitted.raw }, summary: await summarise(fitted.raw, limits) };
}

/** The DKIM-Signature field of a message. */
export function sign(raw: Buffer, key: SigningKey): string {
  return signMessage(raw, key);
}

/** A message in the form that a server without 8BITMIME accepts. */
export function convert(raw: Buffer): FittedMessage {
  return toSevenBit(raw);
}

/** A message's text as its reader sees it; `asText` without its markup. */
export async function show(
  source: MessageSource,
  mark: string,
  asText: boolean,
  limits?: Limits,
): Promise<ShownMessage> {
  const keepContent = (_index: number, type: string): boolean => calendarTypes.has(type);
  const parsed = await parseMessage(source, { ...limits, keepContent });
  return { ...showMessage(parsed, mark, asText), invitation: await findInvitation(parsed) };
}

/**
 * The most calendar files of one message that are read. Most invitations come twice, in two forms.
 */
const mostCalendars = 3;

/** The first invitation among the files of a message, and its position. */
async function findInvitation({ attachments }: ParsedMessage): Promise<ShownMessage['invitation']> {
  const calendars = attachments.filter(({ contentType, content }) => calendarTypes.has(contentType) && content);
  for (const { index, content, charset } of calendars.slice(0, mostCalendars)) {
    const invitation = content && (await readInvitation(content, charset));
    if (invitation) return { index, ...invitation };
  }
  return null;
}

/** The summary of a message, with the bytes of the files at these positions. */
export async function readFiles(
  source: MessageSource,
  indexes: readonly number[],
  limits?: Limits,
): Promise<MessageSummary> {
  const wanted = new Set(indexes);
  return withoutText(await parseMessage(source, { ...limits, keepContent: (index) => wanted.has(index) }));
}

/** More bytes than the longest text that a person can write has as HTML. */
const longestWriting = 4 * longestText;

/**
 * All files and the text of a message for an editor.
 * @throws {MessageTooComplex} when the text is too long: its end would be lost
 */
export async function readDraft(source: MessageSource, limits?: Limits): Promise<DraftParts> {
  const parsed = await parseMessage(source, { ...limits, keepContent: true, maxTextBytes: longestWriting });
  if (parsed.isCut) throw new MessageTooComplex('too_long');
  const { body, attachments } = draftContent(parsed);
  return { summary: { ...withoutText(parsed), attachments }, body };
}

/** The words of a message and the names of its files. */
export async function searchText(source: MessageSource, limits?: Limits): Promise<SearchText> {
  const { attachments, ...forms } = await parseMessage(source, limits);
  return {
    text: searchedText(forms),
    files: attachments
      .filter(({ related }) => !related)
      .map(({ filename }) => filename)
      .join('\n'),
    hasWordsInFiles: filesWithWords(attachments).size > 0,
  };
}

/** The most files of one message whose words are read. */
const mostSearchedFiles = 20;

/**
 * Processor time in milliseconds after which no further page or file is begun. The thread has more
 * time than that before it is ended, so that the first pages of a long file can still be searched.
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

/** The files of a message whose words are read, by position. */
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
 * A draft in the form in which an editor shows it again: nothing in it is loaded from other
 * servers.
 * @param pictures a word for each address of a picture of a quoted message; it becomes `cid:word`
 */
export function keepWriting(html: string, pictures: Map<string, string>): ComposedText {
  const clean = sanitizeComposedHtml(html, { inlineImages: pictures });
  const inlineImages = new Map([...pictures.values()].map((word) => [word, `cid:${word}`]));
  return { html: sanitizeMailHtml(clean, { inlineImages }).html, text: wordsFromHtml(clean) };
}

function withoutText({ text: _text, html: _html, isCut: _isCut, ...summary }: ParsedMessage): MessageSummary {
  return summary;
}
