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

/** How a sent message stands with all of its recipients, in a few words for its row. */
export function describeSent({ state, recipients: all, failed, delayed }: Omit<SentDeliveryDto, '_id'>): Words {
  const t = wordsOf(deliveryWords);
  const words = wordsForState(state);
  if (failed > 0 && failed < all) return { ...words, word: t.failedForSome({ failed, all }), kind: 'bad' };
  if (state !== 'queued' || delayed === 0) return words;
  const word = delayed < all ? t.delayedForSome({ delayed, all }) : t.delayed;
  return { word, sentence: t.delayedSentence, kind: 'waiting' };
}

/** What became of one recipient. A message that waits for another attempt is late, not lost. */
export function describeDelivery(delivery: Pick<DeliveryDto, 'state' | 'attempts' | 'reason'>): Words {
  const t = wordsOf(deliveryWords);
  if (delivery.state === 'held' && delivery.reason === 'held_by_administrator') {
    return { word: t.keptBack, sentence: t.keptBackSentence, kind: 'held' };
  }
  if (delivery.state === 'queued' && delivery.attempts > 0) {
    return { word: t.delayed, sentence: t.delayedSentence, kind: 'waiting' };
  }
  return wordsForState(delivery.state);
}

const demandNames = { mta_sts: 'MTA-STS', dane: 'DANE' } as const;

/** How the way to the recipient's server was protected; null while it is not known. */
export function describeTls({ state, tls }: Pick<DeliveryDto, 'state' | 'tls'>): string | null {
  const t = wordsOf(deliveryWords);
  if (state !== 'relayed' || tls === null) return null;
  if (tls.state === 'none') return t.tlsNone;
  if (tls.state === 'encrypted' || tls.by === null) return t.tlsEncrypted;
  return tls.by === 'relay' ? t.tlsRelay : t.tlsVerified({ by: demandNames[tls.by] });
}
