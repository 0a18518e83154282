/**
 * Colours for the text of a message, which is read on white paper. They are written as a browser
 * serialises them, so that the editor recognises the colour of a text. `none` removes the colour.
 */
export const textColours = {
  grey: 'rgb(95, 91, 83)',
  red: 'rgb(179, 38, 30)',
  orange: 'rgb(154, 74, 0)',
  green: 'rgb(30, 107, 58)',
  teal: 'rgb(11, 106, 112)',
  blue: 'rgb(31, 79, 163)',
  purple: 'rgb(107, 47, 160)',
} as const;

/** Colours for highlighting text, pale enough for each of the colours above. */
export const markColours = {
  yellow: 'rgb(255, 243, 163)',
  green: 'rgb(205, 239, 210)',
  blue: 'rgb(207, 228, 255)',
  pink: 'rgb(255, 214, 228)',
  orange: 'rgb(255, 224, 184)',
  grey: 'rgb(230, 227, 220)',
} as const;

export type ColourName = keyof typeof textColours | keyof typeof markColours;
