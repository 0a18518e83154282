import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import type { searchMail } from '@selvage/core/contracts/search';
import { type Ctx, turnOf } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { AppError } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { addressWords } from '@selvage/core/mail/address-words';
import { blobOf } from '@selvage/core/mailstore/find-entry';
import type { ListedEntry } from '@selvage/core/mailstore/read-listed';
import { findMarks, findSnippet } from '@selvage/core/search/find-marks';
import type { SearchResult } from '@selvage/core/search/search-mailbox';
import type { SearchColumn } from '@selvage/core/search-index/search-query';
import { presentRow } from './presenter.ts';
import { cutForRow } from './row-texts.ts';

type Terms = SearchResult['query']['terms'];

/** For messages that are larger, a row shows the stored preview: reading them takes too long. */
const snippetBytes = 32_768;

/**
 * How many characters of a long text are searched for matches to mark: a stranger may have named
 * hundreds of people, or compressed the text so that it is longer than the message.
 */
const lookedThrough = 32_768;
const lookedThroughPeople = 2000;

/** How many names of the files of one message are compared, and how many of them a row has. */
const lookedThroughFiles = 50;
const mostFilesInRow = 5;

/** How long comparing names of files and reading snippets may delay an answer, in milliseconds. */
const explainingMs = 100;

type FoundDraft = Pick<SearchRowDto, 'draft_id' | 'draft_version'>;

const noDraft: FoundDraft = { draft_id: null, draft_version: null };

interface Asked {
  terms: Terms;
  files: Map<string, string[]>;
  /** Drafts by the ids of their entries. */
  drafts: Map<string, FoundDraft>;
  /** When to stop comparing names of files and reading snippets, by `performance.now()`. */
  deadline: number;
}

/** The messages that a search found, with the matches to mark. */
export async function presentSearch(ctx: Ctx, result: SearchResult): Promise<InferAnswer<typeof searchMail>> {
  const { total, isMore, isComplete, indexed, messages, query } = result;
  const files = await namesOfFiles(ctx, result.rows);
  const drafts = await draftsOf(ctx, result.rows);
  const asked = { terms: query.terms, files, drafts, deadline: performance.now() + explainingMs };
  const rows: SearchRowDto[] = [];
  for (const item of result.rows) rows.push(await presentHit(ctx, item, asked));
  return { rows, total, is_more: isMore, is_complete: isComplete, indexed, messages };
}

async function presentHit(
  ctx: Ctx,
  item: ListedEntry,
  { terms, files, drafts, deadline }: Asked,
): Promise<SearchRowDto> {
  const row = presentRow(item);
  const marks = {
    subject: findMarks(row.subject, 'subject', terms),
    body: findMarks(row.body, 'body', terms),
    sender: findMarks(row.sender_name, 'sender', terms),
  };
  const names = files.get(String(item.message.id)) ?? [];
  const found = {
    folder: item.entry.folder as SearchRowDto['folder'],
    ...(drafts.get(String(item.entry.id)) ?? noDraft),
    found_files: foundAmong(names, terms, deadline).map((name) => cutForRow(name, 'file')),
  };
  const isExplained =
    [...Object.values(marks), found.found_files].some(({ length }) => length > 0) ||
    isFoundByPeople(row, terms) ||
    performance.now() > deadline;
  const snippet = isExplained ? 'unread' : await readSnippet(ctx, item, terms);
  const hit = { ...row, ...found, is_in_files: snippet === null && item.message.attachmentCount > 0, marks };
  if (snippet === null || snippet === 'unread') return hit;
  return { ...hit, body: snippet.text, marks: { ...marks, body: snippet.marks } };
}

/** The first names of files that match, as far as there is time to find them. */
function foundAmong(names: readonly string[], terms: Terms, deadline: number): string[] {
  const found: string[] = [];
  for (const name of names) {
    if (found.length === mostFilesInRow || performance.now() > deadline) break;
    if (findMarks(name, 'files', terms).length > 0) found.push(name);
  }
  return found;
}

/** Whether the address of the sender or of a recipient matches. */
function isFoundByPeople(row: EmailRowDto, terms: Terms): boolean {
  const recipients = [...row.recipient_emails_to, ...row.recipient_emails_cc, ...row.recipient_emails_bcc].join(' ');
  const has = (addresses: string, column: SearchColumn): boolean =>
    findMarks(addressWords(addresses.slice(0, lookedThroughPeople)), column, terms).length > 0;
  return has(row.sender_email, 'sender') || has(recipients, 'recipients');
}

/**
 * The part of the text around the first match; null when the text has no match, `unread` when it
 * was not read.
 */
async function readSnippet(ctx: Ctx, { message }: ListedEntry, terms: Terms) {
  if (message.size > snippetBytes || terms.every(({ isExcluded }) => isExcluded)) return 'unread';
  try {
    const { text } = await ctx.app.content.searchText(blobOf(message), turnOf(ctx));
    return findSnippet(text.slice(0, lookedThrough), terms);
  } catch (error) {
    // The row is correct without a snippet. For a lost blob, the content reader has raised an alarm
    if (!(error instanceof AppError)) log.warn('no snippet of a message', { messageId: String(message.id), error });
    return 'unread';
  }
}

const firstFiles = `(SELECT message_id AS messageId, filename FROM attachments WHERE message_id = ?
  ORDER BY id LIMIT ${lookedThroughFiles})`;

async function namesOfFiles(ctx: Ctx, items: readonly ListedEntry[]): Promise<Map<string, string[]>> {
  const ids = items.filter(({ message }) => message.attachmentCount > 0).map(({ message }) => String(message.id));
  const names = new Map<string, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return names;
  const rows = await readRows<{ messageId: string; filename: string }>(
    ctx,
    ids.map(() => firstFiles).join(' UNION ALL '),
    ids,
  );
  for (const { messageId, filename } of rows) names.get(String(messageId))?.push(filename);
  return names;
}

async function draftsOf(ctx: Ctx, items: readonly ListedEntry[]): Promise<Map<string, FoundDraft>> {
  const written = items.filter(({ entry }) => entry.folder === 'draft').map(({ entry }) => entry);
  const [first] = written;
  if (first === undefined) return new Map();
  const rows = await readRows<{ id: string; entryId: string; version: number }>(
    ctx,
    'SELECT id, entry_id AS entryId, version FROM drafts WHERE user_id = ? AND entry_id IN (?)',
    [String(first.userId), written.map(({ id }) => String(id))],
  );
  return new Map(
    rows.map(({ id, entryId, version }) => [String(entryId), { draft_id: String(id), draft_version: version }]),
  );
}
