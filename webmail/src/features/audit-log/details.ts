/** The facts of an event in a line, such as `fields: city, state`. */
export function detailsInWords(details: Record<string, unknown> | null): string {
  return Object.entries(details ?? {})
    .filter(([name, value]) => name !== 'version' && value !== null && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${inWords(value)}`)
    .join('; ');
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${inWords(inner)}`)
    .join(', ');
}
