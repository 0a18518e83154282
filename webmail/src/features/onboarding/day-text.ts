import { day } from '@selvage/core/contracts/fields';

/*
 * A day as people type it here, `dd/MM/yyyy`, and as the API has it, `YYYY-MM-DD`.
 */

/** The typed form of a day; empty when there is none. */
export function dayInText(written: string | null): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(written ?? '');
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : '';
}

/** The day that a text names; null when the API takes no such day. */
export function dayOfText(text: string): string | null {
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim());
  if (!parts) return null;
  const [, ofMonth = '', month = '', year] = parts;
  const written = `${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}`;
  return day.safeParse(written).success ? written : null;
}
