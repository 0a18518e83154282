type Channels = [number, number, number];

/** The channels of a colour such as `rgb(1, 2, 3)`, as a computed style has it. */
function channelsOf(colour: string): Channels {
  return colour
    .match(/[\d.]+/g)
    ?.slice(0, 3)
    .map(Number) as Channels;
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [r, g, b] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(a: string, b: string): number {
  const [dark, light] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
