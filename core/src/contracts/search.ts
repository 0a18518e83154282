import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { fromDigits, limit, page } from './fields.ts';
import { emailRowDto } from './email.ts';

/** Where something was found in a text: from this character (UTF-16) to before the other one. */
const mark = z.tuple([z.number().int(), z.number().int()]);
export type MarkDto = z.infer<typeof mark>;

/** A message that was found. `body` is the part of its text around the hit, or its first words. */
export const searchRowDto = emailRowDto.extend({
  /** The folder that it is in. */
  folder: z.enum(['inbox', 'snoozed', 'sent', 'archive', 'junk', 'trash', 'draft', 'own']),
  /** The draft whose message it is, to continue it; null for any other message. */
  draft_id: z.string().nullable(),
  /** The version of that draft. */
  draft_version: z.number().int().nullable(),
  marks: z.object({
    subject: z.array(mark),
    body: z.array(mark),
    /** In `sender_name`. */
    sender: z.array(mark),
  }),
  /** Names of its files that were found. */
  found_files: z.array(z.string()),
  /** It was found by the words of its files, and nothing that is shown has them. */
  is_in_files: z.boolean(),
});
export type SearchRowDto = z.infer<typeof searchRowDto>;

/** The longest question, in characters. */
export const longestSearch = 300;

/** The operators of a search. The second line has those of other mail programs. */
const operators = [
  'from|to|cc|bcc|subject|filename|has|in|is|label|before|after|older_than|newer_than|larger|smaller',
  'older|newer|attachments?|hasattachments?',
].join('|');

/**
 * A piece of what a person types: `-from:"Ana Test"`, `"two words"`, `-word`, `word`. The last
 * quote may lack its end, and people put a space after an operator. Its groups are the minus, an
 * operator, another word before a colon, the text in quotes, and the text without quotes.
 */
export const searchPiece = new RegExp(
  `(-)?(?:(${operators}):(?!\\s+-?(?:${operators}):)\\s*|([a-z]+):)?(?:"([^"]*)(?:"|$)|(\\S+))`,
  'gi',
);

/**
 * `q` is what the person typed: words, `"phrases"`, `-without`, `from:` `to:` `subject:`
 * `filename:` `has:attachment` `in:inbox|snoozed|sent|archive|junk|trash|drafts|starred|anywhere`
 * `in:"a folder of one's own"` `label:"a label"` `is:unread|read|starred` `before:2026-11-23`
 * `after:2026-11` `older_than:1y` `newer_than:7d` `larger:5M` `smaller:200k`. All of them must
 * hold, also with `AND` between them; of words with `OR` between them, or in braces, one must. A
 * `-` or `NOT` before any of them leaves out what has it. An operator before brackets is that of
 * each word in them; a `-` before them leaves out what has all of these. `from:me` and `to:me` mean
 * the caller's own addresses, `has:pdf|image|document|spreadsheet|presentation|zip` the names of
 * files. Junk is searched only when it is named. Accents, case and width of letters make no
 * difference. A word of four letters outside of quotes finds longer ones too, a shorter one with a
 * `*` at its end.
 */
export const searchMail = endpoint({
  method: 'GET',
  path: '/mail/search',
  summary: 'Searches the messages of the logged-in person, newest first',
  needs: 'self',
  query: z.object({
    q: z.string().max(longestSearch, `Search for at most ${longestSearch} characters`).default(''),
    page,
    limit,
    /**
     * The IANA name of the person's time zone, as `Asia/Kolkata`: the days of `before:` are theirs.
     * A name that the host does not know is ignored.
     */
    time_zone: z.string().max(64).optional(),
    /** How far the person's clock is ahead of UTC, where the time zone is not known. */
    utc_offset_minutes: fromDigits(z.number().int().min(-900).max(900)).default(0),
  }),
  answer: z.object({
    rows: z.array(searchRowDto),
    /** At most 1,000; only these can be paged through. */
    total: z.number().int(),
    /** True when there are more than are counted. */
    is_more: z.boolean(),
    /** False while the index of the mailbox is being built: older messages are not found yet. */
    is_complete: z.boolean(),
    /** Messages that can be found, of all messages of the mailbox. */
    indexed: z.number().int(),
    messages: z.number().int(),
  }),
});
