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

/** Points of each kind are left out where a chart could not show so many. */
const mostDays = 92;
const mostWeeks = 53;

type Query = InferQuery<typeof getGrowth>;

/**
 * What the home page shows: how many people and domains there are, and how many people and clients
 * were added in a period.
 * @throws 403 when the query names a client and the caller may not choose one, 404
 */
export async function readGrowth(ctx: SignedIn, query: Query, now = new Date()): Promise<GrowthDto> {
  const zone = new TimeZone(query.time_zone);
  const period = periodOf(query, zone.dayAt(now));
  const companyId = await companyOf(ctx, query);
  const [slots, users, domains] = await Promise.all([
    readSlots(ctx, companyId, startOfDay(zone, period.start), startOfDay(zone, addDays(period.end, 1))),
    countUsers(ctx),
    Domain.count({ where: { [Op.and]: [inScope(ctx, Domain), ofKeptCompany, { deletedAt: null }] } }),
  ]);
  const seesClients = ctx.scope.kind === 'host' && holdsPermission(ctx.actor.permissions, 'home', 'edit');
  const days = sumByDay(slots, zone);
  const growth = growthOf(period, days, seesClients);
  return { totals: { users, domains }, growth, total: sumOf(days.values(), seesClients), period };
}

interface Period {
  start: string;
  end: string;
}

/** The first and the last day of what is asked for. */
function periodOf({ filter, startDate, endDate }: Query, today: string): Period {
  if (filter === 'range' && startDate && endDate) return { start: startDate, end: endDate };
  if (filter === 'day') return { start: today, end: today };
  if (filter === 'week') return { start: weekStart(today), end: today };
  if (filter === 'year') return { start: `${today.slice(0, 4)}-01-01`, end: today };
  if (filter === 'all') return { start: monthStart(today, -11), end: today };
  return { start: monthStart(today), end: today };
}

/** The company whose figures are meant: a client's, the caller's own, or the sum of all. */
async function companyOf(ctx: SignedIn, { client_id: clientId }: Query): Promise<string> {
  if (clientId === undefined) return ctx.scope.kind === 'host' ? allCompanies : ctx.scope.companyId;
  requirePermission(ctx, 'home', 'create');
  return String((await readInScope(ctx, Client, clientId)).companyId);
}

/** All slots since the beginning: what is deleted is not in them. */
async function countUsers(ctx: SignedIn): Promise<number> {
  const companyId = ctx.scope.kind === 'host' ? allCompanies : ctx.scope.companyId;
  const [row] = await readRows<{ users: string | null }>(
    ctx,
    'SELECT SUM(users) AS users FROM growth_slots WHERE company_id = ?',
    [companyId],
  );
  return Number(row?.users ?? 0);
}

interface Slot {
  slotAt: Date;
  users: number;
  clients: number;
}

async function readSlots(ctx: SignedIn, companyId: string, from: Date, until: Date): Promise<Slot[]> {
  return await readRows<Slot>(
    ctx,
    `SELECT slot_at AS slotAt, users, clients FROM growth_slots
      WHERE company_id = ? AND slot_at >= ? AND slot_at < ? AND (users <> 0 OR clients <> 0) ORDER BY slot_at`,
    [companyId, from, until],
  );
}

interface Sum {
  users: number;
  clients: number;
}

/** Slots are in order, so each day's beginning is looked for once. */
function sumByDay(slots: readonly Slot[], zone: TimeZone): Map<string, Sum> {
  const days = new Map<string, Sum>();
  let day = '';
  let ends = 0;
  for (const { slotAt, users, clients } of slots) {
    if (slotAt.getTime() >= ends) {
      day = zone.dayAt(slotAt);
      ends = startOfDay(zone, addDays(day, 1)).getTime();
    }
    const sum = days.get(day) ?? { users: 0, clients: 0 };
    days.set(day, { users: sum.users + users, clients: sum.clients + clients });
  }
  return days;
}

function growthOf(period: Period, days: Map<string, Sum>, seesClients: boolean): GrowthDto['growth'] {
  const length = daysBetween(period.start, period.end) + 1;
  const points = (startOf: (day: string) => string, labelOf: (date: string) => string) =>
    pointsOf(period, days, startOf).map(([date, sum]) => pointOf(date, labelOf(date), sum, seesClients));
  return {
    daily: length > mostDays ? [] : points((day) => day, dayLabel),
    weekly: length > 7 * mostWeeks ? [] : points(weekStart, (date) => `Week ${weekNumber(date)}`),
    monthly: points(monthStart, monthLabel),
  };
}

/** Every part of the period with its sum. The first part begins with the period. */
function pointsOf(period: Period, days: Map<string, Sum>, startOf: (day: string) => string): [string, Sum][] {
  const parts = new Map<string, Sum>();
  for (let day = period.start; day <= period.end; day = addDays(day, 1)) {
    const start = startOf(day) < period.start ? period.start : startOf(day);
    const sum = parts.get(start) ?? { users: 0, clients: 0 };
    const added = days.get(day) ?? { users: 0, clients: 0 };
    parts.set(start, { users: sum.users + added.users, clients: sum.clients + added.clients });
  }
  return [...parts];
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
