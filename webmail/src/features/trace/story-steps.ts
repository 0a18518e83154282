import type { AttemptDto, StoryDto } from '@selvage/core/contracts/trace';
import type { StateKind } from '../../components/StateWord.tsx';
import { fullDate } from '../../lib/format.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { storyWords } from '../../words/message-trace.ts';
import { kindOfState, reasonInWords } from './reason-in-words.ts';

/** One thing that happened to a message. */
export interface StoryStep {
  id: string;
  /** ISO 8601; null where it happened at the moment of the step before. */
  at: string | null;
  /** In plain words. */
  text: string;
  /** The same as it was said on the wire. */
  raw: string | null;
  kind: StateKind;
}

/** What happened to a message, in order. */
export function storySteps(story: StoryDto): StoryStep[] {
  return [beginning(story), ...release(story), ...checks(story), ...expansion(story), ...attempts(story), end(story)];
}

const joined = (...parts: (string | null | undefined)[]): string | null => parts.filter(Boolean).join(' · ') || null;

function beginning(story: StoryDto): StoryStep {
  const { arrival, createdAt: at } = story;
  // How it arrived is what the archive says of another time
  if (story.reason === 'restored') {
    return { id: 'beginning', at, text: wordsOf(storyWords).restored, raw: null, kind: 'quiet' };
  }
  const raw = arrival && joined(arrival.helo, arrival.address, arrival.protocol, arrival.tls);
  return { id: 'beginning', at, text: story.direction === 'in' ? arrived(story) : sent(story), raw, kind: 'quiet' };
}

function arrived({ arrival, sender, state, last }: StoryDto): string {
  const t = wordsOf(storyWords);
  const isRefused = state === 'refused';
  if (arrival?.address) {
    const server = arrival.helo ? `${arrival.helo} (${arrival.address})` : arrival.address;
    const [encrypted, plain] = isRefused ? [t.knockedEncrypted, t.knockedPlain] : [t.arrivedEncrypted, t.arrivedPlain];
    return arrival.encrypted ? encrypted({ server }) : plain({ server });
  }
  // Of a flood no more is known than its source
  if (isRefused) return t.knocked({ server: last.remote_host ?? t.theirServer });
  return sender === '' ? t.madeHere : t.arrivedUnknown;
}

function sent({ arrival, sender, forwarded_for: mailbox, is_received: isReceived, ...story }: StoryDto): string {
  const t = wordsOf(storyWords);
  if (story.state === 'refused') return story.answers > 1 ? t.wantedMany : sender ? t.wanted({ sender }) : t.wantedOne;
  if (mailbox) return t.forwarded({ mailbox });
  if (sender === '') return t.madeHere;
  if (isReceived) return t.sentNeighbour({ sender });
  if (arrival?.protocol === 'HTTPS') return t.sentWeb({ sender });
  return arrival?.protocol === 'ESMTPSA' ? t.sentProgram({ sender }) : t.sentOther({ sender });
}

function release({ released_at: at }: StoryDto): StoryStep[] {
  if (at === null) return [];
  return [{ id: 'release', at, text: wordsOf(storyWords).released, raw: null, kind: 'quiet' }];
}

function checks({ checks: found }: StoryDto): StoryStep[] {
  if (!found) return [];
  const t = wordsOf(storyWords);
  const { spf, dkim, dmarc } = found;
  const text = { pass: t.checksPassed, fail: t.checksFailed }[dmarc.result] ?? t.checksNothing;
  const kind = { pass: 'good', fail: 'bad' }[dmarc.result] ?? 'quiet';
  const raw = joined(
    `SPF ${spf.result}${spf.domain ? ` (${spf.domain})` : ''}`,
    ...(dkim.length === 0 ? ['DKIM none'] : dkim.map(({ result, domain }) => `DKIM ${result} (${domain})`)),
    `DMARC ${dmarc.result}${dmarc.policy ? ` (${dmarc.policy})` : ''}`,
  );
  return [{ id: 'checks', at: null, text, raw, kind: kind as StateKind }];
}

function expansion({ expanded_by: by, expanded_to: to }: StoryDto): StoryStep[] {
  if (by === null) return [];
  const t = wordsOf(storyWords);
  const mailbox = to ?? '';
  const group = to ? t.groupMember({ mailbox }) : t.group;
  const text = { alias: t.alias({ mailbox }), group, catch_all: t.catchAll({ mailbox }) }[by];
  return [{ id: 'expansion', at: null, text, raw: null, kind: 'quiet' }];
}

const rawOf = ({ reply, tls, tls_protocol: protocol }: Pick<AttemptDto, 'reply' | 'tls' | 'tls_protocol'>) =>
  joined(reply, tls === 'none' ? null : protocol);

function attempts({ past }: StoryDto): StoryStep[] {
  const t = wordsOf(storyWords);
  return past.map((attempt, index) => ({
    id: `attempt ${index}`,
    at: attempt.at,
    text: t.attempt({ number: index + 1, reason: reasonInWords(attempt.reason) }),
    raw: rawOf(attempt),
    kind: 'waiting',
  }));
}

function end(story: StoryDto): StoryStep {
  const { last, past, state } = story;
  // Of a message that waits, the last attempt stands above already
  const isSaid = past.length > 0 && (state === 'queued' || state === 'held');
  return {
    id: 'end',
    at: last.at,
    text: endInWords(story),
    raw: isSaid ? null : rawOf(last),
    kind: kindOfState[state],
  };
}

function endInWords(story: StoryDto): string {
  const t = wordsOf(storyWords);
  const reason = reasonInWords(story.reason);
  switch (story.state) {
    case 'stored':
      return stored(story);
    case 'relayed':
      return `${t.relayed({ server: story.last.remote_host ?? t.theirServer })} ${protection(story)}`.trim();
    case 'bounced':
      return bounced(story, reason);
    case 'queued':
      return waiting(story, reason);
    case 'held':
      return [t.held({ reason }), ...nextTry(story)].join(' ');
    case 'refused':
      return story.answers > 1 ? t.refusedMany({ answers: story.answers, reason }) : t.refused({ reason });
    case 'cancelled':
      return t.cancelled({ reason });
  }
}

function stored(story: StoryDto): string {
  const t = wordsOf(storyWords);
  if (story.reason === 'duplicate') return t.storedAgain;
  return story.reason === 'restored' ? t.storedRestored : [t.stored, ...placed(story)].join(' ');
}

function bounced({ sender, forwarded_for: mailbox }: StoryDto, reason: string): string {
  const t = wordsOf(storyWords);
  if (sender === '') return t.bouncedSilently({ reason });
  return mailbox === null ? t.bounced({ reason }) : t.bouncedCopy({ reason, mailbox });
}

function placed({ placement }: StoryDto): string[] {
  const t = wordsOf(storyWords);
  const where = { junk: t.placedJunk, trash: t.placedTrash, archive: t.placedArchive, own: t.placedOwn }[
    placement?.folder ?? ''
  ];
  if (!placement || !where) return [];
  return [where, { dmarc: t.byDmarc, blocked: t.byBlocked, filter: t.byFilter }[placement.by]];
}

function protection({ last: { tls } }: StoryDto): string {
  const t = wordsOf(storyWords);
  if (tls === null) return '';
  if (tls === 'none') return t.relayedPlain;
  return tls === 'encrypted' ? t.relayedEncrypted : t.relayedVerified;
}

function waiting(story: StoryDto, reason: string): string {
  const t = wordsOf(storyWords);
  if (story.is_sending) return t.sending;
  const text = story.attempts === 0 && story.reason === 'accepted' ? t.waitingFirst : t.waiting({ reason });
  return [text, ...nextTry(story)].join(' ');
}

function nextTry({ next_attempt_at: at }: StoryDto): string[] {
  return at === null ? [] : [wordsOf(storyWords).nextTry({ date: fullDate(at) })];
}
