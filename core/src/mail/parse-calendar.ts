import type ICAL from 'ical.js';
import type { Component, Property } from './invitation-time.ts';

/**
 * The first calendar of a file; undefined when there is none. Two mistakes of programs that write
 * such files are corrected: lines that are no property, and days of the type of a moment.
 * @throws when the library can't read the file
 */
export function parseCalendar(ical: typeof ICAL, text: string): Component | undefined {
  const parsed = parseLines(ical, text) as Component | Component[];
  const calendar = typeof parsed[0] === 'string' ? (parsed as Component) : (parsed as Component[])[0];
  for (const [, properties] of calendar?.[2] ?? []) properties.forEach(correctMoment);
  return calendar;
}

function parseLines(ical: typeof ICAL, text: string): unknown {
  try {
    return ical.parse(text);
  } catch {
    // A description with line ends of its own leaves lines that are no property
    const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
    return ical.parse(lines.filter((line) => isReadable(ical, line)).join('\r\n'));
  }
}

function isReadable(ical: typeof ICAL, line: string): boolean {
  if (/^(?:BEGIN|END):/i.test(line)) return true;
  try {
    return /^[a-z\d-]+[:;]/i.test(line) && Boolean(ical.parse.property(line));
  } catch {
    return false;
  }
}

/**
 * Corrects a day without `VALUE=DATE`, and a time without its seconds. The library leaves what is
 * missing between the signs empty.
 */
function correctMoment(property: Property): void {
  if (property[2] !== 'date-time') return;
  const [, day, minute, zone = ''] = /^(\d{4}-\d\d-\d\d)T(?:::|(\d\d:\d\d):(Z?))$/.exec(String(property[3])) ?? [];
  if (day === undefined) return;
  if (minute === undefined) property[2] = 'date';
  property[3] = minute === undefined ? day : `${day}T${minute}:00${zone}`;
}
