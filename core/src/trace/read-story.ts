import { parseJsonColumn } from '../database/parse-json-column.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import type { Delivery, DeliveryState, DeliveryTls } from '../models/delivery.ts';
import type { Placement } from '../models/mailbox-entry.ts';
import { type Arrival, type Checks, type Facts, readFacts } from '../ledger/message-facts.ts';
import { arrivalOf } from './arrival.ts';
import { asSeenBy, isVisible, type Seen, type TraceScope, traceScopeOf } from './trace-scope.ts';

/** An attempt that did not end its delivery. */
export interface PastAttempt {
  attemptedAt: Date;
  reason: string;
  lastReply: string | null;
  remoteHost: string | null;
  tls: DeliveryTls | null;
  tlsProtocol: string | null;
}

/** Another recipient of the same message, as far as the reader may know of it. */
export interface Companion {
  id: string;
  direction: 'in' | 'out';
  recipient: string;
  state: DeliveryState;
  answers: number;
  /** Each person of a group has a row with the address of the group. */
  expandedTo: string | null;
  forwardedFor: string | null;
}

type OwnColumns = Pick<
  Delivery,
  | 'id'
  | 'companyId'
  | 'messageId'
  | 'mailId'
  | 'direction'
  | 'recipient'
  | 'recipientDomain'
  | 'envelopeFrom'
  | 'state'
  | 'reason'
  | 'answers'
  | 'lastReply'
  | 'remoteHost'
  | 'tls'
  | 'tlsProtocol'
  | 'attempts'
  | 'nextAttemptAt'
  | 'leaseUntil'
  | 'releasedAt'
  | 'expandedBy'
  | 'expandedTo'
  | 'forwardedFor'
  | 'createdAt'
  | 'updatedAt'
>;

/** What became of one message for one recipient, with all that is known of it. */
export interface Story extends OwnColumns {
  companyName: string | null;
  /**
   * The reader's company only received the message, so this leaves out what only the sender's
   * company may know.
   */
  isReceived: boolean;
  /** Null once no person has the message any more. */
  message: { messageId: string | null; size: number; fromAddress: string } | null;
  arrival: Arrival | null;
  checks: Checks | null;
  /**
   * What sorted it, and where it went. Names of filters are absent, since only their owner sees
   * them.
   */
  placement: Facts['placement'];
  past: PastAttempt[];
  companions: Companion[];
}

/** How many other recipients of a message are listed at most. */
const mostCompanions = 100;

interface StoryRow extends OwnColumns {
  companyName: string | null;
  /** Null in rows from before the ledger kept them. Then the message and its entry have them. */
  facts: string | null;
  header: string | null;
  size: number | null;
  fromAddress: string | null;
  traceHeaders: string | null;
  authentication: AuthenticationResults | string | null;
  placement: Placement | string | null;
}

/**
 * The story of one row of the ledger.
 * @throws AppError 404 for a row that the scope may not see
 */
export async function readStory(ctx: Ctx, scope: Scope, id: string): Promise<Story> {
  const seen = traceScopeOf(scope);
  const visible = isVisible(seen);
  const [row] = await readRows<StoryRow>(
    ctx,
    `SELECT d.id, d.company_id AS companyId, d.message_id AS messageId, d.mail_id AS mailId, d.direction, d.recipient,
            d.recipient_domain AS recipientDomain, d.envelope_from AS envelopeFrom, d.state, d.reason, d.answers,
            d.last_reply AS lastReply, d.remote_host AS remoteHost, d.tls, d.tls_protocol AS tlsProtocol, d.attempts,
            d.next_attempt_at AS nextAttemptAt, d.lease_until AS leaseUntil, d.released_at AS releasedAt,
            d.expanded_by AS expandedBy, d.expanded_to AS expandedTo, d.forwarded_for AS forwardedFor,
            d.created_at AS createdAt, d.updated_at AS updatedAt, d.facts, c.name AS companyName,
            m.message_id_header AS header, m.size, m.from_address AS fromAddress, m.trace_headers AS traceHeaders,
            m.authentication, e.placement
       FROM deliveries d
       LEFT JOIN companies c ON c.id = d.company_id
       LEFT JOIN messages m ON m.id = d.message_id
       LEFT JOIN mailbox_entries e ON e.id = d.entry_id AND d.direction = 'in'
      WHERE d.id = ? AND ${visible.sql}`,
    [id, ...visible.values],
  );
  if (row === undefined) throw notFound('delivery');
  const [shown] = await asSeenBy(ctx, seen, [row]);
  if (shown === undefined) throw notFound('delivery');
  const [past, companions] = await Promise.all([
    shown.isReceived ? [] : readPast(ctx, id),
    readCompanions(ctx, seen, row),
  ]);
  return storyOf(shown, { past, companions });
}

function storyOf(
  { header, size, fromAddress, traceHeaders, authentication, placement, facts, ...row }: Seen<StoryRow>,
  rest: Pick<Story, 'past' | 'companions'>,
): Story {
  const message = fromAddress === null ? null : { messageId: header, size: Number(size), fromAddress };
  const known = facts === null ? factsOfMessage({ traceHeaders, authentication, placement }) : readFacts(facts);
  // An outgoing row says how the sender sent the message, which its receiver may not know
  const isShown = row.direction === 'in' || !row.isReceived;
  return {
    ...row,
    ...rest,
    message,
    arrival: isShown && row.forwardedFor === null ? known.arrival : null,
    checks: row.direction === 'in' ? known.checks : null,
    placement: known.placement,
  };
}

/** The facts that the message and the recipient's entry have, while those exist. */
function factsOfMessage(row: Pick<StoryRow, 'traceHeaders' | 'authentication' | 'placement'>): Facts {
  const checks = parseJsonColumn<AuthenticationResults | null>(row.authentication);
  const placement = parseJsonColumn<Placement | null>(row.placement);
  return {
    arrival: arrivalOf(row.traceHeaders ?? ''),
    checks: checks && { spf: checks.spf, dkim: checks.dkim, dmarc: checks.dmarc },
    placement: placement && { by: placement.by, folder: placement.folder },
  };
}

async function readPast(ctx: Ctx, id: string): Promise<PastAttempt[]> {
  return await readRows<PastAttempt>(
    ctx,
    `SELECT attempted_at AS attemptedAt, reason, last_reply AS lastReply, remote_host AS remoteHost, tls,
            tls_protocol AS tlsProtocol
       FROM delivery_attempts WHERE delivery_id = ? ORDER BY id LIMIT 200`,
    [id],
  );
}

interface CompanionRow extends Companion {
  companyId: string | null;
  recipientDomain: string;
}

async function readCompanions(ctx: Ctx, seen: TraceScope, { id, messageId, mailId }: StoryRow): Promise<Companion[]> {
  const visible = isVisible(seen);
  const companions = (where: string): string =>
    `(SELECT d.id, d.company_id AS companyId, d.direction, d.recipient, d.recipient_domain AS recipientDomain, d.state,
             d.answers, d.expanded_to AS expandedTo, d.forwarded_for AS forwardedFor
        FROM deliveries d
       WHERE ${where} AND d.id <> ? AND ${visible.sql} ORDER BY d.id LIMIT ${mostCompanions})`;
  // Refusals have no message. The door gives all recipients of one SMTP transaction the same mail
  // id
  const [legs, values] =
    messageId === null
      ? [['d.mail_id = ?'], [mailId]]
      : [
          ['d.message_id = ?', "d.mail_id = ? AND d.state = 'refused'"],
          [messageId, mailId],
        ];
  const rows = await readRows<CompanionRow>(
    ctx,
    `${legs.map(companions).join(' UNION ALL ')} ORDER BY id LIMIT ${mostCompanions}`,
    values.flatMap((value) => [value, id, ...visible.values]),
  );
  return await asSeenBy(ctx, seen, rows);
}
