import type { AuditEventDto } from '@selvage/core/contracts/audit-log';

/**
 * The facts of an event in a line, such as `fields: city, state`. The name of its record is left
 * out, since it is shown on its own.
 */
export function detailsInWords({ details, record }: Pick<AuditEventDto, 'details' | 'record'>): string {
  return Object.entries(inFlags(details ?? {}))
    .filter(([name, value]) => name !== 'version' && value !== null)
    .filter(([, value]) => value !== record?.name && value !== record?.email)
    .map(([name, value]) => [name, inWords(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join('; ');
}

/** The permissions that were changed, where an older event has all flags before and after. */
function inFlags(details: Record<string, unknown>): Record<string, unknown> {
  const { before, after, ...others } = details;
  if (!Array.isArray(before) || !Array.isArray(after)) return details;
  const [had, has] = [flagsOf(before), flagsOf(after)];
  const granted = has.filter((flag) => !had.includes(flag));
  return { ...others, granted, removed: had.filter((flag) => !has.includes(flag)) };
}

/** The flags that rows of the matrix have, such as `inbox.edit`. */
function flagsOf(rows: readonly Record<string, unknown>[]): string[] {
  return rows.flatMap(({ model, ...flags }) =>
    Object.keys(flags)
      .filter((action) => flags[action] === true)
      .map((action) => `${String(model)}.${action}`),
  );
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${inWords(inner)}`)
    .join(', ');
}
