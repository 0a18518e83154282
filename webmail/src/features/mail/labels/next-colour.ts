import { type LabelColour, labelColours, type LabelDto } from '@selvage/core/contracts/labels';

/** The colour that the fewest labels have: what a new one begins with. */
export function nextColour(labels: readonly LabelDto[]): LabelColour {
  const uses = (colour: LabelColour) => labels.filter((label) => label.colour === colour).length;
  return labelColours.reduce((least, colour) => (uses(colour) < uses(least) ? colour : least));
}
