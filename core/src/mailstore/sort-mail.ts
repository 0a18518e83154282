import { parseJsonColumn } from '../database/parse-json-column.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import {
  applyRules,
  foldLetter,
  type FoldedLetter,
  type Letter,
  type Rule,
  type RuleOutcome,
} from '../mail/mail-rules.ts';
import type { Destination, LocalRecipient } from './entry-rows.ts';

/*
 * Where a message goes for each person who gets it (D46), before any folder is locked:
 *
 *   failed DMARC, and its domain asks for Junk -> Junk
 *   of a sender whom the person has blocked    -> Junk
 *   otherwise the person's filters, in their order
 *
 * One query finds the people who have rules, forward their mail, or are away. Only for those with
 * rules two more read them, for all people and all messages at once.
 */

/** A message that is about to be put into mailboxes. */
export interface Unsorted {
  /** Null for mail of the host itself, which no rule touches. */
  letter: Letter | null;
  recipients: readonly LocalRecipient[];
  /** The domain whose DMARC policy sends this message to Junk; null when no policy does. */
  quarantinedBy: string | null;
}

/** A person who forwards mail to an address that has agreed to it. */
export interface Forwarder {
  userId: string;
  companyId: string;
  /** Address of the mailbox. */
  email: string;
  forwardTo: string;
}

/** The result of sorting one message. */
export interface Sorted {
  /** By user id. A person without a destination gets the message into the inbox. */
  destinations: Map<string, Destination>;
  /** User ids of the people who are away and for whom the message may be answered. */
  away: Set<string>;
  /** The people who forward the message, by user id. */
  forwarders: Map<string, Forwarder>;
}

interface Person extends Omit<Forwarder, 'forwardTo'> {
  forwardTo: string | null;
  /** 1 when only the mail that a filter marks for it is forwarded. */
  forwardsFiltered: number;
  hasBlocked: number;
  hasFilters: number;
  hasVacation: number;
}

/** People whose rules are in memory at a time: a group may have thousands. */
const peopleAtOnce = 200;
/** The longest that sorting may occupy the event loop before other work gets a turn. */
const longestTurnMs = 20;

/** Sorts messages for their recipients. Returns the results in the order of the messages. */
export async function sortMail(ctx: Ctx, messages: readonly Unsorted[]): Promise<Sorted[]> {
  const sorted = messages.map(({ recipients, quarantinedBy }): Sorted => {
    const forwarders = new Map<string, Forwarder>();
    const away = new Set<string>();
    if (quarantinedBy === null) return { destinations: new Map(), away, forwarders };
    const destination = intoJunk('dmarc', quarantinedBy);
    return { destinations: new Map(recipients.map(({ userId }) => [userId, destination])), away, forwarders };
  });
  const open = messages.flatMap(({ letter, recipients, quarantinedBy }, index) => {
    const into = sorted[index];
    if (letter === null || quarantinedBy !== null || into === undefined) return [];
    return [{ letter: foldLetter(letter), recipients, into }];
  });
  const people = await readPeople(ctx, new Set(open.flatMap(({ recipients }) => recipients.map((one) => one.userId))));
  for (let at = 0; at < people.length; at += peopleAtOnce) {
    await sortFor(ctx, people.slice(at, at + peopleAtOnce), open);
  }
  return sorted;
}

interface Open {
  letter: FoldedLetter;
  recipients: readonly LocalRecipient[];
  into: Sorted;
}

async function sortFor(ctx: Ctx, people: readonly Person[], messages: readonly Open[]): Promise<void> {
  const byId = new Map(people.map((person) => [person.userId, person]));
  const blocked = await readBlocked(ctx, people, messages);
  const filters = await readFilters(ctx, people);
  let since = performance.now();
  for (const { letter, recipients, into } of messages) {
    // Once for each person, however many of their addresses it is sent to
    for (const [person, ways] of Map.groupBy(recipients, ({ userId }) => byId.get(userId))) {
      if (person === undefined) continue;
      const { userId } = person;
      const addresses = ways.map(({ address }) => address);
      const sender = letter.senders.find((one) => blocked.has(`${userId} ${one}`));
      const outcome = sender === undefined ? applyRules(filters.get(userId) ?? [], letter, addresses) : null;
      const destination = sender === undefined ? outcome && destinationOf(outcome) : intoJunk('blocked', sender);
      if (destination) into.destinations.set(userId, destination);
      const forwarder = forwarderOf(person, outcome, destination);
      if (forwarder) into.forwarders.set(userId, forwarder);
      if (Number(person.hasVacation) === 1 && isAnswerable(destination)) into.away.add(userId);
      if (performance.now() - since > longestTurnMs) {
        await turn();
        since = performance.now();
      }
    }
  }
}

/** Mail that goes to Junk or to the trash is not answered. */
function isAnswerable(destination: Destination | null): boolean {
  return !destination?.flags.junkStatus && !destination?.flags.trashStatus;
}

function intoJunk(by: 'dmarc' | 'blocked', name: string): Destination {
  return { flags: { junkStatus: true }, placement: { by, name, folder: 'junk' } };
}

function destinationOf({ moveTo, ownFolderId, star, markRead, labels, name }: RuleOutcome): Destination {
  return {
    flags: {
      archiveStatus: moveTo === 'archive',
      junkStatus: moveTo === 'junk',
      trashStatus: moveTo === 'trash',
      ownFolderId,
      starStatus: star,
      readStatus: markRead,
    },
    placement: { by: 'filter', name, folder: moveTo },
    labelIds: [...labels],
  };
}

/** Mail that goes to Junk is not forwarded: the mailbox would pass on spam under its own name. */
function forwarderOf(person: Person, outcome: RuleOutcome | null, destination: Destination | null): Forwarder | null {
  const { userId, companyId, email, forwardTo, forwardsFiltered } = person;
  if (forwardTo === null || destination?.flags.junkStatus) return null;
  const isMeant = Number(forwardsFiltered) === 0 || outcome?.forward === true;
  return isMeant ? { userId, companyId, email, forwardTo } : null;
}

async function readPeople(ctx: Ctx, userIds: ReadonlySet<string>): Promise<Person[]> {
  if (userIds.size === 0) return [];
  const rows = await readRows<Person>(
    ctx,
    `SELECT id AS userId, company_id AS companyId, email, IF(forward_confirmed_at IS NULL, NULL, forward_to) AS forwardTo,
            forwards_filtered AS forwardsFiltered, has_blocked AS hasBlocked, has_filters AS hasFilters,
            has_vacation AS hasVacation
       FROM users
      WHERE id IN (?) AND (forward_confirmed_at IS NOT NULL OR has_blocked OR has_filters OR has_vacation)`,
    [[...userIds]],
  );
  return rows.map((row) => ({ ...row, userId: String(row.userId), companyId: String(row.companyId) }));
}

/** Which people have blocked which sender of these messages, each as `userId sender`. */
async function readBlocked(ctx: Ctx, people: readonly Person[], messages: readonly Open[]): Promise<Set<string>> {
  const userIds = people.filter(({ hasBlocked }) => Number(hasBlocked) === 1).map(({ userId }) => userId);
  const senders = [...new Set(messages.flatMap(({ letter }) => letter.senders))];
  if (userIds.length === 0 || senders.length === 0) return new Set();
  const rows = await readRows<{ userId: string; address: string }>(
    ctx,
    'SELECT user_id AS userId, address FROM blocked_senders WHERE user_id IN (?) AND address IN (?)',
    [userIds, senders],
  );
  return new Set(rows.map(({ userId, address }) => `${userId} ${address}`));
}

async function readFilters(ctx: Ctx, people: readonly Person[]): Promise<Map<string, Rule[]>> {
  const userIds = people.filter(({ hasFilters }) => Number(hasFilters) === 1).map(({ userId }) => userId);
  if (userIds.length === 0) return new Map();
  const rows = await readRows<{
    userId: string;
    name: string;
    conditions: Rule['conditions'] | string;
    actions: Rule['actions'] | string;
  }>(
    ctx,
    `SELECT user_id AS userId, name, conditions, actions FROM mail_filters
      WHERE user_id IN (?) AND is_on = 1 ORDER BY user_id, place, id`,
    [userIds],
  );
  const all = rows.map(({ userId, name, conditions, actions }) => ({
    userId: String(userId),
    rule: {
      name,
      conditions: parseJsonColumn<Rule['conditions']>(conditions),
      actions: parseJsonColumn<Rule['actions']>(actions),
    },
  }));
  const rules = await withoutLostFolders(ctx, all);
  return new Map(
    [...Map.groupBy(rules, ({ userId }) => userId)].map(([userId, own]) => [userId, own.map(({ rule }) => rule)]),
  );
}

/** A filter whose folder was deleted still does the rest of what it says. */
async function withoutLostFolders<R extends { userId: string; rule: Rule }>(ctx: Ctx, rules: R[]): Promise<R[]> {
  const folderIds = [...new Set(rules.flatMap(({ rule }) => rule.actions.folder ?? []))];
  if (folderIds.length === 0) return rules;
  const rows = await readRows<{ id: string; userId: string }>(
    ctx,
    'SELECT id, user_id AS userId FROM folders WHERE id IN (?) AND role IS NULL AND removed_at IS NULL',
    [folderIds],
  );
  const present = new Set(rows.map(({ id, userId }) => `${userId} ${id}`));
  return rules.map((one) => {
    const { folder, ...actions } = one.rule.actions;
    if (folder === undefined || present.has(`${one.userId} ${folder}`)) return one;
    return { ...one, rule: { ...one.rule, actions } };
  });
}
