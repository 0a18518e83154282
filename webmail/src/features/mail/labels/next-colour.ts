import { type LabelColour, labelColours, type LabelDto } from '@selvage/core/contracts/labels';

/** The colour for a new label: the one that the fewest labels have. */
export function nextColour(labels: readonly LabelDto[]): LabelColour {
  const uses = (colour: LabelColour) => labels.filter((label) => label.colour === colour).length;
  return labelColours.reduce((least, colour) => (uses(colour) < uses(least) ? colour : least));
}
