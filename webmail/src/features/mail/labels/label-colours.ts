import type { LabelColour } from '@selvage/core/contracts/labels';
import { tokens } from '@fluentui/react-components';

interface Tone {
  paper: string;
  ink: string;
}

/** The tones of each colour, in light and in dark: ink reads on its paper (WCAG 2.2, 4.5 to 1). */
export const toneOf: Record<LabelColour, Tone> = {
  red: { paper: tokens.colorPaletteRedBackground2, ink: tokens.colorPaletteRedForeground2 },
  orange: { paper: tokens.colorPaletteDarkOrangeBackground2, ink: tokens.colorPaletteDarkOrangeForeground2 },
  yellow: { paper: tokens.colorPaletteMarigoldBackground2, ink: tokens.colorPaletteMarigoldForeground2 },
  lime: { paper: tokens.colorPaletteForestBackground2, ink: tokens.colorPaletteForestForeground2 },
  green: { paper: tokens.colorPaletteGreenBackground2, ink: tokens.colorPaletteGreenForeground2 },
  teal: { paper: tokens.colorPaletteTealBackground2, ink: tokens.colorPaletteTealForeground2 },
  cyan: { paper: tokens.colorPaletteSteelBackground2, ink: tokens.colorPaletteSteelForeground2 },
  blue: { paper: tokens.colorPaletteBlueBackground2, ink: tokens.colorPaletteBlueForeground2 },
  purple: { paper: tokens.colorPaletteGrapeBackground2, ink: tokens.colorPaletteGrapeForeground2 },
  pink: { paper: tokens.colorPalettePlumBackground2, ink: tokens.colorPalettePlumForeground2 },
  brown: { paper: tokens.colorPaletteBrownBackground2, ink: tokens.colorPaletteBrownForeground2 },
  grey: { paper: tokens.colorNeutralStroke2, ink: tokens.colorNeutralForeground1 },
};

/** A swatch of a colour: its paper, with its ink around it. */
export function swatchOf(colour: LabelColour): { backgroundColor: string; boxShadow: string } {
  const { paper, ink } = toneOf[colour];
  return { backgroundColor: paper, boxShadow: `inset 0 0 0 1.5px ${ink}` };
}
