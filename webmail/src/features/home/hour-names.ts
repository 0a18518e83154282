/**
 * The names of hours, by their beginnings in ISO 8601. They have the day, since the hours of
 * yesterday have the names of today's. Where the clocks go back, two hours have one name, and these
 * two say their time zone as well.
 * @param shown the reader's own language and time zone unless given
 */
export function hourNames(hours: readonly string[], shown: { locale?: string; timeZone?: string } = {}): string[] {
  const { locale, timeZone } = shown;
  const nameOf = (at: string, further: Intl.DateTimeFormatOptions = {}): string =>
    new Date(at).toLocaleString(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone, ...further });
  const alike = Map.groupBy(hours, (at) => nameOf(at));
  return hours.map((at) => {
    const name = nameOf(at);
    return alike.get(name)?.length === 1 ? name : nameOf(at, { timeZoneName: 'short' });
  });
}
