import { describe, expect, it } from 'vitest';
import { labelFlag, labelsOf, withLabels } from './row-labels.ts';

describe('the labels of a message', () => {
  it('are those of the server, with the changes over them', () => {
    const row = { _id: '1', labels: ['7', '8'], [labelFlag('8')]: false, [labelFlag('9')]: true };
    expect(labelsOf(row)).toEqual(['7', '9']);
    expect(labelsOf({ labels: ['7'] })).toEqual(['7']);
  });

  it('are the same again when a change is taken back', () => {
    const labels = ['7'];
    const changed = withLabels(labels, { [labelFlag('8')]: true });
    expect(withLabels(changed, { [labelFlag('8')]: false })).toEqual(labels);
    expect(withLabels(labels, { [labelFlag('7')]: true, read_status: true, label: 'x' })).toBe(labels);
  });
});
