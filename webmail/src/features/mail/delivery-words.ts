import type { DeliveryDto } from '@selvage/core/contracts/email';
import type { SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import type { StateKind } from '../../components/StateWord.tsx';
import { wordsOf } from '../../lib/i18n.ts';
import { deliveryWords } from '../../words/mail-list.ts';

interface Words {
  /** One or two words for a row. */
  word: string;
  /** A sentence for the message itself. */
  sentence: string;
  kind: StateKind;
}

/** A state of a delivery in words. */
export function wordsForState(state: DeliveryDto['state']): Words {
  const t = wordsOf(deliveryWords);
  switch (state) {
    case 'held':
      return { word: t.sending, sentence: t.sendingSentence, kind: 'held' };
    case 'queued':
      return { word: t.onItsWay, sentence: t.onItsWay, kind: 'waiting' };
    case 'stored':
      return { word: t.delivered, sentence: t.storedSentence, kind: 'good' };
    case 'relayed':
      return { word: t.delivered, sentence: t.relayedSentence, kind: 'good' };
    case 'bounced':
      return { word: t.notDelivered, sentence: t.bouncedSentence, kind: 'bad' };
    case 'cancelled':
      return { word: t.takenBack, sentence: t.cancelledSentence, kind: 'quiet' };
  }
}

type Standing = Pick<SentDeliveryDto, 'state' | 'kept_back'>;

/** An administrator holds the message back: until they release it, its state does not change. */
const isKeptBack = ({ state, kept_back: keptBack }: Standing): boolean => state === 'held' && keptBack > 0;

/** Whether the state of the message may change by itself, so that it is worth asking again. */
export function isUnderWay(sent: Standing): boolean {
  return sent.state === 'queued' || (sent.state === 'held' && !isKeptBack(sent));
}

/** The state of a sent message for all of its recipients, in a few words for its row. */
export function describeSent(sent: Omit<SentDeliveryDto, '_id'>): Words {
  const { state, recipients: all, failed, delayed } = sent;
  const t = wordsOf(deliveryWords);
  const words = wordsForState(state);
  if (isKeptBack(sent)) return { word: t.keptBack, sentence: t.keptBackSentence, kind: 'held' };
  if (failed > 0 && failed < all) return { ...words, word: t.failedForSome({ failed, all }), kind: 'bad' };
  if (state !== 'queued' || delayed === 0) return words;
  const word = delayed < all ? t.delayedForSome({ delayed, all }) : t.delayed;
  return { word, sentence: t.delayedSentence, kind: 'waiting' };
}

/** The same for one recipient. */
export function isMoving({ state, reason }: Pick<DeliveryDto, 'state' | 'reason'>): boolean {
  return isUnderWay({ state, kept_back: reason === 'held_by_administrator' ? 1 : 0 });
}

/**
 * The state of the delivery to one recipient. A message that waits for another attempt is late, not
 * lost.
 */
export function describeDelivery(delivery: Pick<DeliveryDto, 'state' | 'attempts' | 'reason'>): Words {
  const t = wordsOf(deliveryWords);
  if (delivery.state === 'held' && !isMoving(delivery)) {
    return { word: t.keptBack, sentence: t.keptBackSentence, kind: 'held' };
  }
  if (delivery.state === 'queued' && delivery.attempts > 0) {
    return { word: t.delayed, sentence: t.delayedSentence, kind: 'waiting' };
  }
  return wordsForState(delivery.state);
}

const demandNames = { mta_sts: 'MTA-STS', dane: 'DANE' } as const;

/** How the connection to the recipient's server was protected; null while that is not known. */
export function describeTls({ state, tls }: Pick<DeliveryDto, 'state' | 'tls'>): string | null {
  const t = wordsOf(deliveryWords);
  if (state !== 'relayed' || tls === null) return null;
  if (tls.state === 'none') return t.tlsNone;
  if (tls.state === 'encrypted' || tls.by === null) return t.tlsEncrypted;
  return tls.by === 'relay' ? t.tlsRelay : t.tlsVerified({ by: demandNames[tls.by] });
}
