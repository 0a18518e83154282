type Channels = readonly [number, number, number];

/** A grey of Fluent's (0 to 255) and the colour that replaces it. */
export type Anchor = readonly [grey: number, colour: string];

const GREY = /^#(\w\w)\1\1$/;

function channelsOf(colour: string): Channels {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function colourOf(channels: Channels): string {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colour for a grey: interpolated between the two anchors around it. Anchors are in ascending
 * order.
 */
function toned(grey: number, anchors: readonly Anchor[]): string {
  const next = anchors.findIndex(([at]) => at >= grey);
  const [above, aboveColour] = anchors[Math.max(next, 0)] ?? [255, '#ffffff'];
  const [below, belowColour] = anchors[Math.max(next - 1, 0)] ?? [0, '#000000'];
  const share = above === below ? 0 : (grey - below) / (above - below);
  const [from, to] = [channelsOf(belowColour), channelsOf(aboveColour)];
  return colourOf(
    [0, 1, 2].map((i) => (from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * share) as unknown as Channels,
  );
}

/**
 * Replaces every pure grey of a theme by the colour that the anchors give it, so that all of
 * Fluent's neutral tokens are toned without being listed one by one. Other colours are unchanged.
 */
export function toneNeutrals<T extends object>(theme: T, anchors: readonly Anchor[]): T {
  const entries = Object.entries(theme).map(([name, value]) => {
    const grey = typeof value === 'string' && name.startsWith('color') ? GREY.exec(value)?.[1] : undefined;
    return [name, grey ? toned(Number.parseInt(grey, 16), anchors) : (value as unknown)];
  });
  return Object.fromEntries(entries) as T;
}
