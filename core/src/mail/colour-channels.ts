/** The numeric colours in a value, as red, green and blue from 0 to 255. */
export function channelsIn(value: string): number[][] {
  const found = value.match(/#[0-9a-f]+|rgba?\([^)]*\)/g) ?? [];
  return found.map((colour) => {
    if (!colour.startsWith('#')) return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    const digits = colour.slice(1);
    const step = digits.length < 6 ? 1 : 2;
    return [0, 1, 2].map((index) => {
      const part = digits.slice(index * step, (index + 1) * step);
      return Number.parseInt(step === 1 ? part + part : part, 16);
    });
  });
}
