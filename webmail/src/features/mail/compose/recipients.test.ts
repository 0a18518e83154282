import { describe, expect, it } from 'vitest';
import { addRecipients } from './recipients.ts';

describe('addRecipients', () => {
  it('takes a pasted list with names and separators', () => {
    const added = addRecipients([], 'Anna <anna@mills.example>; bo@mills.example,\nc d@mills.example');
    expect(added).toEqual({
      addresses: ['anna@mills.example', 'bo@mills.example', 'cd@mills.example'],
      rest: '',
      problem: null,
    });
  });
  it('keeps each address once, whatever its case', () => {
    expect(addRecipients(['a@b.example'], 'A@B.example').addresses).toEqual(['a@b.example']);
  });
  it('leaves what is wrong to be mended and says why', () => {
    const added = addRecipients([], 'a@b.example, nonsense');
    expect(added).toEqual({ addresses: ['a@b.example'], rest: 'nonsense', problem: 'Email must contain a single @' });
  });
});
