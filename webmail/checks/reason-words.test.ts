import { reasons } from '@selvage/core/ledger/reasons';
import { expect, it } from 'vitest';
import { wordsOf } from '../src/lib/i18n.ts';
import { reasonWords } from '../src/words/message-trace.ts';

it('has words for each reason of the ledger, and for no other one', () => {
  const { unknown, ...told } = wordsOf(reasonWords);
  expect(unknown).not.toBe('');
  expect(Object.keys(told).toSorted()).toEqual(reasons.toSorted());
});
