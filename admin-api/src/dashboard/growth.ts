import { holdsPermission, requirePermission } from '@selvage/core/access/effective-permissions';
import { inScope, readInScope } from '@selvage/core/access/scope';
import type { getGrowth, GrowthDto, GrowthPoint } from '@selvage/core/contracts/dashboard';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { readRows } from '@selvage/core/database/run-sql';
import { Client } from '@selvage/core/models/client';
import { Domain } from '@selvage/core/models/domain';
import { allCompanies } from '@selvage/core/models/growth-slot';
import { TimeZone } from '@selvage/core/time-zone';
import { Op } from 'sequelize';
import { ofKeptCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { addDays, daysBetween, monthStart, startOfDay, weekNumber, weekStart } from './calendar.ts';

/**
 * With more days or weeks than this, the answer has no such points: a chart could not show so many.
 */
const mostDays = 92;
const mostWeeks = 53;

type Query = InferQuery<typeof getGrowth>;

/**
 * The figures of the home page: how many people and domains there are, and how many people and
 * clients were added in a period.
 * @throws 403 when the query names a client and the caller may not choose one, 404
 */
export async function readGrowth(ctx: SignedIn, query: Query, now = new Date()): Promise<GrowthDto> {
  const zone = new TimeZone(query.time_zone);
  const period = periodOf(query, zone.dayAt(now));
  const companyId = await companyOf(ctx, query);
  const [sums, users, domains] = await Promise.all([
    readSums(ctx, companyId, partsOf(period), zone),
    countUsers(ctx),
    Domain.count({ where: { [Op.and]: [inScope(ctx, Domain), ofKeptCompany, { deletedAt: null }] } }),
  ]);
  const seesClients = ctx.scope.kind === 'host' && holdsPermission(ctx.actor.permissions, 'home', 'edit');
  const growth = growthOf(period, sums, seesClients);
  return { totals: { users, domains }, growth, total: sumOf(sums.values(), seesClients), period };
}

interface Period {
  start: string;
  end: string;
}

/** The first and the last day of the period that the query names. */
function periodOf({ filter, startDate, endDate }: Query, today: string): Period {
  if (filter === 'range' && startDate && endDate) return { start: startDate, end: endDate };
  if (filter === 'day') return { start: today, end: today };
  if (filter === 'week') return { start: weekStart(today), end: today };
  if (filter === 'year') return { start: `${today.slice(0, 4)}-01-01`, end: today };
  if (filter === 'all') return { start: monthStart(today, -11), end: today };
  return { start: monthStart(today), end: today };
}

/** The company whose growth the query is about: a client's, the caller's own, or the sum of all. */
async function companyOf(ctx: SignedIn, { client_id: clientId }: Query): Promise<string> {
  if (clientId === undefined) return ctx.scope.kind === 'host' ? allCompanies : ctx.scope.companyId;
  requirePermission(ctx, 'home', 'create');
  return String((await readInScope(ctx, Client, clientId)).companyId);
}

/** The sum of all slots since the beginning. Deleted people are not counted in them. */
async function countUsers(ctx: SignedIn): Promise<number> {
  const companyId = ctx.scope.kind === 'host' ? allCompanies : ctx.scope.companyId;
  const [row] = await readRows<{ users: string | null }>(
    ctx,
    'SELECT SUM(users) AS users FROM growth_slots WHERE company_id = ?',
    [companyId],
  );
  return Number(row?.users ?? 0);
}

interface Part {
  /** The first day. */
  start: string;
  /** The day after the last one. */
  end: string;
}

/**
 * Divides the period into the shortest parts that its points need: days, or weeks cut at the ends
 * of months, or months. A long period thus has few parts.
 */
function partsOf(period: Period): Part[] {
  const length = lengthOf(period);
  const startsPart = (day: string): boolean =>
    length <= mostDays || day === monthStart(day) || (length <= 7 * mostWeeks && day === weekStart(day));
  const starts: string[] = [];
  for (let day = period.start; day <= period.end; day = addDays(day, 1)) {
    if (day === period.start || startsPart(day)) starts.push(day);
  }
  const end = addDays(period.end, 1);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }));
}

function lengthOf({ start, end }: Period): number {
  return daysBetween(start, end) + 1;
}

interface Sum {
  users: number;
  clients: number;
}

/**
 * The sum of the slots of each part, by its first day. The database adds them, since a year has
 * 35,000.
 */
async function readSums(
  ctx: SignedIn,
  companyId: string,
  parts: readonly Part[],
  zone: TimeZone,
): Promise<Map<string, Sum>> {
  const sum = `SELECT ? AS start, SUM(users) AS users, SUM(clients) AS clients FROM growth_slots
                WHERE company_id = ? AND slot_at >= ? AND slot_at < ?`;
  const rows = await readRows<{ start: string; users: string | null; clients: string | null }>(
    ctx,
    parts.map(() => `(${sum})`).join(' UNION ALL '),
    parts.flatMap(({ start, end }) => [start, companyId, startOfDay(zone, start), startOfDay(zone, end)]),
  );
  const found = new Map(rows.map((row) => [row.start, row]));
  return new Map(
    parts.map(({ start }) => {
      const { users, clients } = found.get(start) ?? { users: 0, clients: 0 };
      return [start, { users: Number(users), clients: Number(clients) }];
    }),
  );
}

function growthOf(period: Period, sums: Map<string, Sum>, seesClients: boolean): GrowthDto['growth'] {
  const length = lengthOf(period);
  const points = (startOf: (day: string) => string, labelOf: (date: string) => string) =>
    pointsOf(period, sums, startOf).map(([date, sum]) => pointOf(date, labelOf(date), sum, seesClients));
  return {
    daily: length > mostDays ? [] : points((day) => day, dayLabel),
    weekly: length > 7 * mostWeeks ? [] : points(weekStart, (date) => `Week ${weekNumber(date)}`),
    monthly: points(monthStart, monthLabel),
  };
}

/** All points of the period with their sums. The first point starts where the period starts. */
function pointsOf(period: Period, sums: Map<string, Sum>, startOf: (day: string) => string): [string, Sum][] {
  const points = new Map<string, Sum>();
  for (const [day, added] of sums) {
    const start = startOf(day) < period.start ? period.start : startOf(day);
    const sum = points.get(start) ?? { users: 0, clients: 0 };
    points.set(start, { users: sum.users + added.users, clients: sum.clients + added.clients });
  }
  return [...points];
}

function pointOf(date: string, label: string, { users, clients }: Sum, seesClients: boolean): GrowthPoint {
  return {
    label,
    date,
    month: Number(date.slice(5, 7)),
    weekNumber: weekNumber(date),
    userGrowth: users,
    clientGrowth: seesClients ? clients : null,
  };
}

function sumOf(sums: Iterable<Sum>, seesClients: boolean): GrowthDto['total'] {
  let users = 0;
  let clients = 0;
  for (const sum of sums) {
    users += sum.users;
    clients += sum.clients;
  }
  return { users, clients: seesClients ? clients : null };
}

const labelFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (date: string) => format.format(new Date(`${date}T00:00:00Z`));
};
const dayLabel = labelFormat({ day: 'numeric', month: 'short' });
const monthLabel = labelFormat({ month: 'short', year: 'numeric' });
