import { escapeLike } from '../database/escape-like.ts';
import { fullName } from '../contracts/full-name.ts';
import { escape } from 'mysql2';
import type { RecipientDto } from '../contracts/recipients.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { askedBeginnings, fitsPerson, personWords } from '../mail/person-words.ts';
import { dayMs } from '../utc-day.ts';

/*
 * Suggests recipients while a person types an address (D75). Each query is bounded, however many
 * people there are. Common texts need some hundred rows of an index. Rare ones need a scan of one
 * narrow index.
 */

interface Asking {
  userId: string;
  companyId: string;
  text: string;
  most: number;
}

interface Candidate extends RecipientDto {
  /** Candidates are sorted by this, the latest first. */
  rankedAt: Date;
}

/** How many of the highest-ranked correspondents are compared one by one. */
const firstCorrespondents = 500;
/** How many rows of `correspondent_words` are read when those give too few results. */
const mostWordRows = 1000;
/** How many people of a company are scanned for words within their names. */
const mostColleagues = 5000;
const mostGroups = 1000;
/** Compares without regard to capitals and accents. */
const folding = 'utf8mb4_unicode_ci';
/** A colleague ranks like a correspondent whom the person wrote to once, this long ago. */
const colleagueMs = 60 * dayMs;

/**
 * People and groups whose words begin with what was typed. Those to whom the person writes most
 * come first.
 */
export async function findRecipients(ctx: Ctx, asking: Asking): Promise<RecipientDto[]> {
  const beginnings = askedBeginnings(asking.text);
  const [written, company] = await Promise.all([
    findWritten(ctx, asking, beginnings),
    findInCompany(ctx, asking, beginnings),
  ]);
  const states = await statesOf(ctx, asking.companyId, [...written, ...company]);
  const byAddress = new Map<string, Candidate>();
  for (const candidate of [...written, ...company]) {
    const key = candidate.address.toLowerCase();
    const state = states.get(key);
    // A deleted person takes no mail, and mail to an inactive person or group only waits
    if (byAddress.has(key) || state === 'gone') continue;
    byAddress.set(key, state ? { ...candidate, ...state } : candidate);
  }
  return [...byAddress.values()]
    .sort(compare)
    .slice(0, asking.most)
    .map(({ name, address, kind }) => ({ name, address, kind }));
}

/** Sorts by the day of `rankedAt`. Within a day, colleagues and groups come before outsiders. */
function compare(one: Candidate, other: Candidate): number {
  const day = ({ rankedAt }: Candidate) => Math.floor(rankedAt.getTime() / dayMs);
  const isOutside = ({ kind }: Candidate) => Number(kind === 'written');
  return (
    day(other) - day(one) ||
    isOutside(one) - isOutside(other) ||
    other.rankedAt.getTime() - one.rankedAt.getTime() ||
    (one.name || one.address).localeCompare(other.name || other.address)
  );
}

type WrittenRow = Pick<Candidate, 'name' | 'address' | 'rankedAt'>;

async function findWritten(ctx: Ctx, { userId, most }: Asking, beginnings: readonly string[]): Promise<Candidate[]> {
  const fits = beginnings.map((word) => `c.words LIKE ${escape(`% ${escapeLike(word)}%`)}`).join(' AND ') || 'TRUE';
  const columns = 'c.name, c.address, c.ranked_at AS rankedAt';
  const first = await readRows<WrittenRow>(
    ctx,
    `SELECT ${columns} FROM (
       SELECT name, address, words, ranked_at FROM correspondents FORCE INDEX (correspondents_rank)
        WHERE user_id = ? ORDER BY ranked_at DESC, id DESC LIMIT ${firstCorrespondents}
     ) c WHERE ${fits} ORDER BY c.ranked_at DESC LIMIT ${most}`,
    [userId],
  );
  const [longest = ''] = beginnings.toSorted((one, other) => other.length - one.length);
  if (first.length >= most || longest === '') return first.map(asWritten);
  const others = await readRows<WrittenRow>(
    ctx,
    `SELECT ${columns} FROM (
       SELECT DISTINCT correspondent_id FROM (
         SELECT correspondent_id FROM correspondent_words WHERE user_id = ? AND word LIKE ? LIMIT ${mostWordRows}
       ) w
     ) found JOIN correspondents c ON c.id = found.correspondent_id
      WHERE ${fits} ORDER BY c.ranked_at DESC LIMIT ${most}`,
    [userId, `${escapeLike(longest)}%`],
  );
  return (others.length > first.length ? others : first).map(asWritten);
}

const asWritten = (row: WrittenRow): Candidate => ({ ...row, kind: 'written' });

interface PersonRow {
  fname: string;
  lname: string;
  address: string;
}

/** People and groups of the company, unsorted. It does not know to whom the person has written. */
async function findInCompany(
  ctx: Ctx,
  { companyId, most }: Asking,
  beginnings: readonly string[],
): Promise<Candidate[]> {
  const rankedAt = new Date(Date.now() - colleagueMs);
  const groups = await findGroups(ctx, companyId, beginnings);
  const [longest = ''] = beginnings.toSorted((one, other) => other.length - one.length);
  const people = await byBeginning(ctx, companyId, { longest, most });
  const isFew = people.length < most && longest !== '';
  const rows = [...people, ...(isFew ? await byAnyWord(ctx, companyId, { longest, most }) : [])];
  const colleagues = rows.map(({ fname, lname, address }) => ({ name: fullName({ fname, lname }), address }));
  const fits = (one: { name: string; address: string }) => fitsPerson(personWords(one), beginnings);
  return [
    ...colleagues.filter(fits).map((one): Candidate => ({ ...one, kind: 'colleague', rankedAt })),
    ...groups.filter(fits).map((one): Candidate => ({ ...one, kind: 'group', rankedAt })),
  ];
}

/**
 * Groups whose name or address may fit the words, in the order of their names. The caller compares
 * the beginnings of their words.
 */
async function findGroups(
  ctx: Ctx,
  companyId: string,
  beginnings: readonly string[],
): Promise<{ name: string; address: string }[]> {
  // The typed words are folded: they have no capitals, no accents, and ss for ß. Folding takes the
  // signs of other scripts apart, so that the database would not find them in a name
  const words = beginnings.filter((word) => /^[\x20-\x7e]+$/.test(word));
  const patterns = words.map((word) => escape(`%${escapeLike(word)}%`));
  const texts = ["REPLACE(name, 'ß', 'ss')", 'address'];
  const fits = patterns.map((one) => `(${texts.map((text) => `${text} LIKE ${one} COLLATE ${folding}`).join(' OR ')})`);
  return await readRows(
    ctx,
    `SELECT name, address FROM address_groups WHERE ${['company_id = ?', 'active_status', ...fits].join(' AND ')}
      ORDER BY name LIMIT ${mostGroups}`,
    [companyId],
  );
}

interface Look {
  longest: string;
  most: number;
}

/**
 * People whose first name, last name or address begins with the word. It reads more rows than are
 * wanted, since the other words of the text rule some of them out.
 */
async function byBeginning(ctx: Ctx, companyId: string, { longest, most }: Look): Promise<PersonRow[]> {
  const pattern = `${escapeLike(longest)}%`;
  const limit = longest === '' ? most : 10 * most;
  const person = (column: string) =>
    `(SELECT u.fname, u.lname, u.email AS address FROM users u FORCE INDEX (users_directory_${column})
       WHERE u.company_id = ? AND u.deleted_at IS NULL AND u.${column} LIKE ? AND u.active_status
       ORDER BY u.${column} LIMIT ${limit})`;
  const owner = `(SELECT u.fname, u.lname, a.address FROM addresses a FORCE INDEX (addresses_directory)
       JOIN users u ON u.id = a.user_id
      WHERE a.company_id = ? AND a.address LIKE ? AND u.deleted_at IS NULL AND u.active_status
      ORDER BY a.address LIMIT ${limit})`;
  return await readRows<PersonRow>(
    ctx,
    `${person('fname')} UNION ${person('lname')} ${longest === '' ? '' : `UNION ${owner}`}`,
    [companyId, pattern, companyId, pattern, ...(longest === '' ? [] : [companyId, pattern])],
  );
}

/** People with a later word of their name that begins so, such as a second given name. */
async function byAnyWord(ctx: Ctx, companyId: string, { longest, most }: Look): Promise<PersonRow[]> {
  return await readRows<PersonRow>(
    ctx,
    `SELECT u.fname, u.lname, u.email AS address FROM (
       SELECT id, fname, lname FROM users FORCE INDEX (users_directory_fname)
        WHERE company_id = ? AND deleted_at IS NULL LIMIT ${mostColleagues}
     ) few JOIN users u ON u.id = few.id
      WHERE REPLACE(CONCAT(few.fname, ' ', few.lname), '-', ' ') LIKE ? AND u.active_status LIMIT ${10 * most}`,
    [companyId, `% ${escapeLike(longest)}%`],
  );
}

/**
 * For the candidates that are addresses of the company: the name of the person or group, or `gone`
 * when the address is not in use.
 */
async function statesOf(
  ctx: Ctx,
  companyId: string,
  candidates: readonly Candidate[],
): Promise<Map<string, Pick<Candidate, 'name' | 'kind'> | 'gone'>> {
  const addresses = candidates.filter(({ kind }) => kind === 'written').map(({ address }) => address.toLowerCase());
  if (addresses.length === 0) return new Map();
  const rows = await readRows<{ address: string; kind: string; name: string; isUsed: number }>(
    ctx,
    `SELECT a.address, a.kind, COALESCE(g.name, CONCAT(u.fname, ' ', u.lname)) AS name,
            (COALESCE(u.active_status, g.active_status) AND u.deleted_at IS NULL) AS isUsed
       FROM addresses a LEFT JOIN users u ON u.id = a.user_id LEFT JOIN address_groups g ON g.id = a.group_id
      WHERE a.address IN (?) AND a.company_id = ?`,
    [addresses, companyId],
  );
  return new Map(
    rows.map(({ address, kind, name, isUsed }) => {
      const state = { name: name.trim(), kind: kind === 'group' ? ('group' as const) : ('colleague' as const) };
      return [address, Number(isUsed) === 1 ? state : 'gone'];
    }),
  );
}
