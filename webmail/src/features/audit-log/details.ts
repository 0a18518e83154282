import type { AuditEventDto } from '@selvage/core/contracts/audit-log';

/**
 * The facts of an event in a line, such as `fields: city, state`. The name of its record is left
 * out, since it is shown on its own.
 */
export function detailsInWords({ details, record }: Pick<AuditEventDto, 'details' | 'record'>): string {
  return Object.entries(details ?? {})
    .filter(([name, value]) => name !== 'version' && value !== null && value !== '')
    .filter(([, value]) => value !== record?.name && value !== record?.email)
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
