import { describe, expect, it } from 'vitest';
import { pictureProblem } from './picture.ts';

describe('pictureProblem', () => {
  it('takes a picture of just 1 MB and refuses one byte more, naming the file', () => {
    const picture = { name: 'me.png', type: 'image/png', size: 1_048_576 };
    expect(pictureProblem(picture)).toBeNull();
    expect(pictureProblem({ ...picture, size: picture.size + 1 })).toContain('“me.png” is too large');
  });
  it('refuses what is no picture that the server would draw', () => {
    expect(pictureProblem({ name: 'me.svg', type: 'image/svg+xml', size: 10 })).toContain('Choose a PNG');
  });
});
