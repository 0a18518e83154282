import type ICAL from 'ical.js';
import { TimeZone } from '../time-zone.ts';

/** A property as ical.js gives it (RFC 7265). */
export type Property = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]];
/** A component as ical.js gives it (RFC 7265). */
export type Component = [name: string, properties: Property[], components: Component[]];
type Library = typeof ICAL;

/** A moment of an event. */
export interface EventMoment {
  /** ISO 8601; null for a day, and where the zone is unknown. */
  utc: string | null;
  /** As it is written: `2026-11-24`, or `2026-11-24T10:00:00`. */
  local: string;
  /** The name of the zone of `local`; null for a day, for UTC and where there is none. */
  zone: string | null;
}

/**
 * The rules of real time zones: once a year, on a day of a month. Rules of any other kind could
 * take a lifetime to follow.
 */
const yearly = /^FREQ=YEARLY(?:;(?:INTERVAL=1(?=;|$)|(?:BYMONTH|BYMONTHDAY|BYDAY|COUNT|UNTIL|WKST)=[-+\w]{1,20}))*$/;
/** These come every week, or every month: a hundred years of them take seconds. */
const isOften = (rule: string): boolean =>
  rule.includes('BYMONTHDAY=') ? !rule.includes('BYMONTH=') : /BYDAY=[A-Z]/.test(rule);
const mostRules = 24;
const firstYear = 1970;
const lastYear = 2100;

/** Knows the zones that a calendar file describes, and those that every computer knows. */
export class ZoneReader {
  readonly #ical: Library;
  readonly #described = new Map<string, InstanceType<Library['Timezone']>>();
  #rules = 0;

  constructor(ical: Library, calendar: Component) {
    this.#ical = ical;
    for (const component of calendar[2]) {
      const id = component[0] === 'vtimezone' && component[1].find(([name]) => name === 'tzid')?.[3];
      if (typeof id !== 'string' || !this.#isSimple(component)) continue;
      const described = new ical.Component(component);
      this.#described.set(id, new ical.Timezone({ component: described, tzid: id }));
    }
  }

  /** The moment that a clock in a zone shows so; null when the zone is unknown. */
  toUtc(local: string, zone: string): string | null {
    const year = Number(local.slice(0, 4));
    if (!(year >= firstYear && year <= lastYear)) return null;
    const described = this.#described.get(zone);
    if (!described) return byName(local, zone);
    const time = this.#ical.Time.fromDateTimeString(local);
    time.zone = described;
    return isoOf(time.toJSDate().getTime());
  }

  /** The moment that comes so long after another one. */
  after(start: EventMoment | null, duration: Property | undefined): EventMoment | null {
    if (!start || !duration) return null;
    const seconds = this.#ical.Duration.fromString(String(duration[3])).toSeconds();
    if (!Number.isFinite(seconds) || seconds < 0) return null;
    const isDay = !start.local.includes('T');
    const local = isoOf(clockOf(start.local) + seconds * 1000);
    // A year behind 9999 has more digits, and would be cut at the wrong place
    if (!local || !/^\d{4}-/.test(local)) return null;
    const utc = start.utc && isoOf(Date.parse(start.utc) + seconds * 1000);
    return { ...start, utc, local: local.slice(0, isDay ? 10 : 19) };
  }

  #isSimple(zone: Component): boolean {
    this.#rules += zone[2].length;
    if (this.#rules > mostRules) return false;
    return zone[2].every(([, properties]) => {
      for (const property of properties) {
        const [name, , , value] = property;
        if (name === 'rdate') this.#rules += 1;
        if (name === 'rrule' && !this.#isYearly(value)) return false;
        // Outlook's rules begin in 1601, and each year since then would be gone through
        if (name === 'dtstart' && String(value) < '1970') property[3] = `1970${String(value).slice(4)}`;
      }
      return this.#rules <= mostRules;
    });
  }

  #isYearly(rule: unknown): boolean {
    const written = String(new this.#ical.Recur(rule as object));
    return yearly.test(written) && !isOften(written);
  }
}

/** A moment of an event as it stands in its property; null where no calendar has it. */
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

/** Whether there is such a day, or such a time of a day: a file may name the month 13. */
export function isOnCalendar(local: string): boolean {
  return !Number.isNaN(clockOf(local));
}

/** What a clock shows, as if it were that of UTC; not a number where no clock shows it. */
function clockOf(local: string): number {
  return Date.parse(local.includes('T') ? `${local}Z` : `${local}T00:00:00Z`);
}

function isoOf(milliseconds: number): string | null {
  const moment = new Date(milliseconds);
  // It is no date also where the number is larger than those that a date has
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** By the name that the zone has on every computer (IANA). */
function byName(local: string, zone: string): string | null {
  try {
    return isoOf(new TimeZone(zone).momentOf(clockOf(local)));
  } catch {
    return null;
  }
}
