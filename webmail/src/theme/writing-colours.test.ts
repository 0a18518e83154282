import { describe, expect, it } from 'vitest';
import { contrastOf } from '../gallery/contrast.ts';
import { markColours, textColours } from './writing-colours.ts';

describe('the colours of a text', () => {
  const papers = { white: 'rgb(255, 255, 255)', ...markColours };

  it.each(Object.entries(textColours))('%s can be read on white and on each mark', (_name, colour) => {
    // WCAG 2.2, 1.4.3
    const tooPale = Object.entries(papers).filter(([, paper]) => contrastOf(colour, paper) < 4.5);
    expect(tooPale).toEqual([]);
  });
});
