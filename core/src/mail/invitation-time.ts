import type ICAL from 'ical.js';
import { TimeZone } from '../time-zone.ts';
import { dayMs } from '../utc-day.ts';

/** A property in the form of ical.js (RFC 7265). */
export type Property = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]];
/** A component in the form of ical.js (RFC 7265). */
export type Component = [name: string, properties: Property[], components: Component[]];
type Library = typeof ICAL;
type Rule = InstanceType<Library['Recur']>;

/** A moment of an event. */
export interface EventMoment {
  /** ISO 8601; null for a day, and when the zone is unknown. */
  utc: string | null;
  /** As the file writes it: `2026-11-24`, or `2026-11-24T10:00:00`. */
  local: string;
  /** The name of the zone of `local`; null for a day, for UTC and when the file names none. */
  zone: string | null;
}

/**
 * The properties of a clock change that the library reads, and their allowed types. A value of
 * another type may have fields of any size, such as `HOURS=99999999999999999`, through which the
 * library would count.
 */
const typesOfChange = new Map([
  ['dtstart', ['date-time', 'date']],
  ['tzoffsetfrom', ['utc-offset']],
  ['tzoffsetto', ['utc-offset']],
  ['rrule', ['recur']],
  ['rdate', ['date-time', 'date', 'period']],
]);
const mostRules = 24;
/** The longest description of a zone. Those of calendar programs have a few hundred characters. */
const longestZone = 8000;
const firstYear = 1970;
const lastYear = 2100;
const weekdayOfMonth = /^[+-]?[1-5](?:MO|TU|WE|TH|FR|SA|SU)$/;

/** Converts times in the zones that a calendar file describes, and in the IANA zones. */
export class ZoneReader {
  readonly #ical: Library;
  readonly #described = new Map<string, InstanceType<Library['Timezone']>>();
  /** The same zones as the file writes them. */
  readonly #written = new Map<string, Component>();
  #rules = 0;

  constructor(ical: Library, calendar: Component) {
    this.#ical = ical;
    for (const component of calendar[2]) {
      const id = component[0] === 'vtimezone' && component[1].find(([name]) => name === 'tzid')?.[3];
      if (typeof id !== 'string') continue;
      // This copy gets shortened rules, so that the library can follow them
      const followed = structuredClone(component);
      if (!this.#isSimple(followed)) continue;
      this.#written.set(id, component);
      const described = new ical.Component(followed);
      this.#described.set(id, new ical.Timezone({ component: described, tzid: id }));
    }
  }

  /** The UTC moment at which a clock in a zone shows this time; null when the zone is unknown. */
  toUtc(local: string, zone: string): string | null {
    const year = Number(local.slice(0, 4));
    if (!(year >= firstYear && year <= lastYear)) return null;
    const described = this.#described.get(zone);
    if (!described) return byName(local, zone);
    return isoOf(clockOf(local) - this.#offsetIn(described, clockOf(local)));
  }

  /**
   * How far the clocks are ahead of UTC when they show this time. For a time that a clock change
   * skips or repeats, the library uses the offset after the change; RFC 5545 3.3.5 requires the one
   * before it.
   */
  #offsetIn(zone: InstanceType<Library['Timezone']>, wallClock: number): number {
    const near = (clock: number): number => {
      const time = this.#ical.Time.fromDateTimeString(new Date(clock).toISOString().slice(0, 19));
      return zone.utcOffset(time) * 1000;
    };
    const offset = near(wallClock);
    const change = Math.abs(near(wallClock - dayMs) - offset);
    return change === 0 ? offset : near(wallClock - change);
  }

  /**
   * The lines that describe a zone in the file, for use in another file that names it; null when
   * there are none, or too many. Only the lines about its clock changes are included.
   */
  linesOf(zone: string): string[] | null {
    const changes = this.#written.get(zone)?.[2].map(([name, properties]): Component => {
      const known = properties.filter((property) => typesOfChange.has(property[0]));
      return [name, known.map(([property, , ...rest]): Property => [property, {}, ...rest]), []];
    });
    if (!changes?.length || !changes.every(([name]) => name === 'standard' || name === 'daylight')) return null;
    const text = this.#ical.stringify(['vtimezone', [['tzid', {}, 'text', zone]], changes]).trim();
    return text.length <= longestZone && /^[\x20-\x7e\r\n]*$/.test(text) ? text.split('\r\n') : null;
  }

  /** The moment at this duration after another one. */
  after(start: EventMoment | null, duration: Property | undefined): EventMoment | null {
    if (!start || !duration) return null;
    const seconds = this.#ical.Duration.fromString(String(duration[3])).toSeconds();
    if (!Number.isFinite(seconds) || seconds < 0) return null;
    const isDay = !start.local.includes('T');
    const local = isoOf(clockOf(start.local) + seconds * 1000);
    // A year after 9999 has more digits, and would be cut in the wrong place
    if (!local || !/^\d{4}-/.test(local)) return null;
    const utc = start.utc && isoOf(Date.parse(start.utc) + seconds * 1000);
    return { ...start, utc, local: local.slice(0, isDay ? 10 : 19) };
  }

  #isSimple(zone: Component): boolean {
    this.#rules += zone[2].length;
    if (this.#rules > mostRules) return false;
    return zone[2].every(([, properties]) => {
      this.#rules += properties.filter(([name]) => name === 'rdate').length;
      return this.#rules <= mostRules && properties.every((property) => this.#isSound(property));
    });
  }

  /** Whether the library can follow a property of a clock change. Shortens long rules. */
  #isSound(property: Property): boolean {
    const [name, , type, value] = property;
    if (!(typesOfChange.get(name)?.includes(type) ?? true)) return false;
    if (name === 'rrule') return this.#isFollowed(property);
    if (name !== 'dtstart') return true;
    const start = String(value);
    // Outlook's rules begin in 1601, and the library would step through each year since then
    if (start < String(firstYear)) property[3] = `${firstYear}${start.slice(4)}`;
    return /^\d{4}-/.test(start);
  }

  #isFollowed(property: Property): boolean {
    const written = property[3] as object;
    const rule = new this.#ical.Recur(written);
    if (!isOnceAYear(rule)) return false;
    // The library searches for the next day until the rule ends, or for thousands of years if it
    // has no end
    if (!rule.until || rule.until.year > lastYear) property[3] = { ...written, until: `${lastYear + 1}-01-01` };
    return true;
  }
}

/**
 * Whether a rule is like those of real time zones: once a year, on a day that exists in its month.
 * The library could take forever to follow any other rule.
 */
function isOnceAYear({ freq, interval, parts }: Rule): boolean {
  const { BYMONTH: months = [], BYMONTHDAY: days = [], BYDAY: weekdays = [], ...others } = parts;
  const isSimple = [months, days, weekdays].every(({ length }) => length <= 1) && Object.keys(others).length === 0;
  if (freq !== 'YEARLY' || interval !== 1 || !isSimple) return false;
  const [[month], [day], [weekday]] = [months, days, weekdays];
  if (day !== undefined && weekday !== undefined) return false;
  // Without its month, a day comes every month or every week
  if (month === undefined) return day === undefined && weekday === undefined;
  if (weekday !== undefined) return weekdayOfMonth.test(weekday);
  return day === undefined || (day !== 0 && Math.abs(day) <= daysOf(month));
}

/** The number of days that a month has in every year. */
function daysOf(month: number): number {
  return new Date(Date.UTC(firstYear, month, 0)).getUTCDate();
}

/** The moment that a property of an event names; null when there is no such date. */
export function momentOf(property: Property | undefined, zones: ZoneReader): EventMoment | null {
  const value = String(property?.[3] ?? '');
  if (!property || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ?)?$/.test(value)) return null;
  const local = value.slice(0, 19);
  if (!isOnCalendar(local)) return null;
  if (!value.includes('T')) return { utc: null, local, zone: null };
  if (value.endsWith('Z')) return { utc: isoOf(Date.parse(value)), local, zone: null };
  const zone = property[1]['tzid'];
  if (typeof zone !== 'string') return { utc: null, local, zone: null };
  return { utc: zones.toUtc(local, zone), local, zone: zone.replace(/[^\w/+ .():,-]/g, '').slice(0, 80) };
}

/** A moment in the form of a calendar file (RFC 5545 3.3.5). */
export function stampOf(iso: string): string {
  return `${iso.slice(0, 19).replace(/[:-]/g, '')}Z`;
}

/** Whether there is such a date and time: a file may name the month 13. */
export function isOnCalendar(local: string): boolean {
  return !Number.isNaN(clockOf(local));
}

/** A local time as if it were UTC, in milliseconds; NaN when there is no such time. */
function clockOf(local: string): number {
  return Date.parse(local.includes('T') ? `${local}Z` : `${local}T00:00:00Z`);
}

function isoOf(milliseconds: number): string | null {
  const moment = new Date(milliseconds);
  // A number too large for a date gives an invalid date
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** Converts a time in an IANA zone. */
function byName(local: string, zone: string): string | null {
  try {
    return isoOf(new TimeZone(zone).momentOf(clockOf(local)));
  } catch {
    return null;
  }
}
