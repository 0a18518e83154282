import {
  administratorActs,
  type ForwardedToDto,
  type MailAccessDto,
  mostAccessEvents,
} from '@selvage/core/contracts/mail-access';
import { readRows } from '@selvage/core/database/run-sql';
import { User } from '@selvage/core/models/user';
import { findReaders } from '../mail-backups/find-backups.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Events that are older than this are left out. */
const yearMs = 365 * 24 * 3_600_000;
/** How many of a person's events of these kinds one call reads at most, the latest. */
const eventsRead = 5_000;

const forwardingActs = ['forwarding:asked', 'forwarding:confirmed', 'forwarding:scope-changed', 'forwarding:stopped'];
const recoveryActs = ['recovery-email:confirmed', 'recovery-email:removed'];

/** What could let another person read the caller's mail (D32). */
export async function readOwnMailAccess(ctx: SignedIn): Promise<MailAccessDto> {
  const { userId } = ctx.actor;
  const [user, copies, archives, events, waysIn] = await Promise.all([
    User.findByPk(userId, { rejectOnEmpty: true }),
    findReaders(ctx),
    findArchives(ctx),
    findEvents(ctx),
    countWaysIn(ctx),
  ]);
  const since = new Date(Date.now() - yearMs);
  const ofYear = ({ createdAt }: AccessEvent): boolean => createdAt > since;
  return {
    copies,
    archives,
    forwarded_to: forwardedTo(user, events.filter(ofYear)),
    administrators: actsOf(userId, events).filter(ofYear).slice(0, mostAccessEvents).map(presentAct),
    ...waysIn,
  };
}

async function findArchives(ctx: SignedIn): Promise<MailAccessDto['archives']> {
  const rows = await readRows<{ id: string; name: string; state: string; createdAt: Date }>(
    ctx,
    `SELECT a.id, a.asker_name AS name, a.state, a.created_at AS createdAt
       FROM users u JOIN company_archives a ON a.company_id = u.company_id AND a.created_at >= u.created_at
      WHERE u.id = ? AND a.created_at > ? AND a.state IN ('ready', 'removed') AND a.finished_at IS NOT NULL
      ORDER BY a.id DESC LIMIT ${mostAccessEvents}`,
    [ctx.actor.userId, new Date(Date.now() - yearMs)],
  );
  return rows.map(({ id, name, state, createdAt }) => {
    return { _id: String(id), name, createdAt: createdAt.toISOString(), is_kept: state === 'ready' };
  });
}

interface AccessEvent {
  id: string;
  action: string;
  actorId: string | null;
  actorName: string | null;
  /**
   * The address to which mail is forwarded. For a change of scope, the address that got copies at
   * that time.
   */
  target: string | null;
  /** Which mail is forwarded from this event on. */
  mailScope: 'all' | 'filtered' | null;
  ip: string;
  createdAt: Date;
}

/**
 * Events of the caller's account, the latest first. The query reads only the kinds that are needed:
 * an attacker can cause any number of refused logins.
 */
async function findEvents(ctx: SignedIn): Promise<AccessEvent[]> {
  return await readRows<AccessEvent>(
    ctx,
    `SELECT e.id, e.action, e.actor_id AS actorId, JSON_VALUE(e.details, '$.to') AS target,
            JSON_VALUE(e.details, '$.scope') AS mailScope, e.address AS ip, e.created_at AS createdAt,
            COALESCE(NULLIF(TRIM(CONCAT(u.fname, ' ', u.lname)), ''), u.email, JSON_VALUE(erasure.details, '$.email'))
              AS actorName
       FROM (SELECT id, action, actor_id, details, address, created_at
               FROM audit_events FORCE INDEX (audit_entity_action)
              WHERE entity = 'user' AND entity_id = ? AND action IN (?)
              ORDER BY created_at DESC, id DESC LIMIT ${eventsRead}) AS e
       LEFT JOIN users u ON u.id = e.actor_id
       LEFT JOIN audit_events erasure
         ON erasure.entity = 'user' AND erasure.entity_id = e.actor_id AND erasure.action = 'user:erased'
      ORDER BY e.created_at DESC, e.id DESC`,
    [ctx.actor.userId, [...administratorActs, ...forwardingActs, ...recoveryActs]],
  );
}

/**
 * What gave administrators access to the caller's mail, the latest first. A recovery address counts
 * from its confirmation until the next one is confirmed: the administrator who entered the address
 * may be the one who sets a password with a link mailed to it. A link to any other address was
 * mailed for an administrator. A password that is set with it does not have the person as its
 * actor.
 */
function actsOf(userId: string, latestFirst: readonly AccessEvent[]): AccessEvent[] {
  const acts: AccessEvent[] = [];
  /**
   * `entered`: the administrator's change that is not yet confirmed. `inUse`: the change whose
   * address is confirmed.
   */
  let entered: AccessEvent | null = null;
  let inUse: AccessEvent | null = null;
  /** The last link that an administrator or the operator had mailed. */
  let mailed: AccessEvent | null = null;
  for (const event of latestFirst.toReversed()) {
    const isAdministrator = String(event.actorId) !== userId;
    switch (event.action) {
      case 'recovery-email:changed':
        entered = isAdministrator ? event : null;
        if (isAdministrator) acts.unshift(event);
        break;
      case 'recovery-email:confirmed':
        inUse = entered;
        break;
      case 'recovery-email:removed':
        [entered, inUse] = [null, null];
        break;
      case 'password:link-mailed':
        mailed = event;
        acts.unshift(event);
        break;
      case 'password:set-by-link': {
        const behind = isAdministrator ? mailed : inUse;
        if (behind !== null) {
          // The operator's actions on the host itself have no network address
          acts.unshift({ ...event, actorName: behind.actorName, ip: behind.ip === '' ? '' : event.ip });
        }
        break;
      }
      default:
        if (isAdministrator && !forwardingActs.includes(event.action)) acts.unshift(event);
    }
  }
  return acts;
}

function presentAct({ id, action, actorName, ip, createdAt }: AccessEvent): MailAccessDto['administrators'][number] {
  return {
    _id: String(id),
    action: action as (typeof administratorActs)[number],
    name: actorName,
    ip,
    createdAt: createdAt.toISOString(),
  };
}

/**
 * The periods of forwarding to each address. A period begins when the address agrees and ends with
 * the next event about forwarding. A change of scope ends one period and begins another.
 */
function forwardedTo(user: User, latestFirst: readonly AccessEvent[]): ForwardedToDto[] {
  const { forwardTo, forwardConfirmedAt, forwardsFiltered } = user;
  const acts = latestFirst.filter(({ action }) => forwardingActs.includes(action)).toReversed();
  // Before the first change of scope, the other scope applied
  const change = acts.find(({ mailScope }) => mailScope !== null);
  let isFiltered = change ? change.mailScope === 'all' : forwardsFiltered;
  let open: ForwardedToDto | null = null;
  const found: ForwardedToDto[] = [];
  for (const { action, target, mailScope, createdAt } of acts) {
    const at = createdAt.toISOString();
    if (open !== null) found.unshift({ ...open, until: at });
    if (mailScope !== null) isFiltered = mailScope === 'filtered';
    const isForwarded = action === 'forwarding:confirmed' || action === 'forwarding:scope-changed';
    open = isForwarded && target !== null ? { address: target, since: at, until: null, is_filtered: isFiltered } : null;
  }
  if (forwardTo !== null && forwardConfirmedAt !== null) {
    const since = open?.since ?? forwardConfirmedAt.toISOString();
    found.unshift({ address: forwardTo, since, until: null, is_filtered: forwardsFiltered });
  }
  return found.slice(0, mostAccessEvents);
}

type WaysIn = Pick<MailAccessDto, 'other_sessions' | 'passkeys' | 'app_passwords'>;

async function countWaysIn(ctx: SignedIn): Promise<WaysIn> {
  const { userId, sessionId } = ctx.actor;
  const rows = await readRows<{ kind: keyof WaysIn; count: number; lastUsed: Date | null }>(
    ctx,
    `SELECT 'other_sessions' AS kind, COUNT(*) AS count, MAX(last_active) AS lastUsed FROM sessions
      WHERE user_id = ? AND ended_at IS NULL AND expires_at > ? AND session_key <> ?
      UNION ALL SELECT 'passkeys', COUNT(*), MAX(last_used_at) FROM passkeys WHERE user_id = ?
      UNION ALL SELECT 'app_passwords', COUNT(*), MAX(last_used_at) FROM app_passwords WHERE user_id = ?`,
    [userId, new Date(), sessionId ?? '', userId, userId],
  );
  const of = (kind: keyof WaysIn): WaysIn[keyof WaysIn] => {
    const row = rows.find((one) => one.kind === kind);
    return { count: Number(row?.count ?? 0), last_used: row?.lastUsed?.toISOString() ?? null };
  };
  return { other_sessions: of('other_sessions'), passkeys: of('passkeys'), app_passwords: of('app_passwords') };
}
