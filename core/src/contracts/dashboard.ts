import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, id, timeZone } from './fields.ts';

/** The periods that growth is shown for. `all` is the last twelve months. */
export const growthFilters = ['all', 'day', 'week', 'month', 'year', 'range'] as const;
export type GrowthFilter = (typeof growthFilters)[number];

/** The longest range, in days: ten years. */
export const longestRangeDays = 3660;

/**
 * A range of at most this many days is shown day by day, or week by week; a longer one by months.
 */
export const rangeSteps = { daily: 7, weekly: 90 } as const;

/** What was added within a day, a week or a month. */
const growthPoint = z.object({
  /** In English, as `23 Nov`, `Week 47` or `Nov 2026`. */
  label: z.string(),
  /** The first day of the part of the period, as `2026-11-23`. */
  date: z.string(),
  /** 1 to 12, of `date`. */
  month: z.number().int(),
  /** ISO 8601, of `date`. */
  weekNumber: z.number().int(),
  userGrowth: z.number().int(),
  /** Null for people who may not see the growth of clients. */
  clientGrowth: z.number().int().nullable(),
});
export type GrowthPoint = z.infer<typeof growthPoint>;

/**
 * How many people and clients were added, counted by the day on which each was added. What is
 * deleted is not counted, so the growth since the beginning is the total.
 */
export const growthDto = z.object({
  /** Counts of the caller's whole scope, whatever the period and the client. */
  totals: z.object({ users: z.number().int(), domains: z.number().int() }),
  growth: z.object({
    /** Empty for periods of more than 92 days. */
    daily: z.array(growthPoint),
    /** Weeks begin on Monday. Empty for periods of more than 53 weeks. */
    weekly: z.array(growthPoint),
    monthly: z.array(growthPoint),
  }),
  /** The sum of the period. */
  total: z.object({ users: z.number().int(), clients: z.number().int().nullable() }),
  /** First and last day, as `2026-11-23`. */
  period: z.object({ start: z.string(), end: z.string() }),
});
export type GrowthDto = z.infer<typeof growthDto>;

const daysBetween = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000;

const growthQuery = z
  .object({
    filter: z.enum(growthFilters).default('month'),
    /** Only this client's company. Needs `home` create. */
    client_id: id.optional(),
    /** First and last day of a `range`. */
    startDate: day.optional(),
    endDate: day.optional(),
    /** The time zone whose days are meant. */
    time_zone: timeZone.default('UTC'),
  })
  .superRefine(({ filter, startDate, endDate }, context) => {
    if (filter !== 'range') return;
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (!startDate) return refuse('startDate', 'Choose a start date');
    if (!endDate) return refuse('endDate', 'Choose an end date');
    if (endDate < startDate) return refuse('endDate', 'The end is before the start');
    if (daysBetween(startDate, endDate) >= longestRangeDays) refuse('endDate', 'Choose ten years at most');
  });

export const getGrowth = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/growth',
  summary: 'Totals, and how many people and clients were added in a period',
  needs: { model: 'home', action: 'view' },
  query: growthQuery,
  answer: growthDto,
});

/** What the host answered within an hour. Each number counts recipients. */
export const mailHour = z.object({
  /** When the hour begins: ISO 8601, UTC. */
  at: z.string(),
  /** From other servers. Mail between people of the host is only among what is sent. */
  received: z.number().int(),
  sent: z.number().int(),
  /** Refused on arrival. */
  refused: z.number().int(),
  /** Sent, and came back. */
  bounced: z.number().int(),
});

export const getMailDay = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/mail',
  summary: 'The mail of the present hour and the 23 before it, and what waits now; half a minute old at most',
  needs: { model: 'domain', action: 'view' },
  answer: z.object({ hours: z.array(mailHour), waiting: z.number().int() }),
});
export type MailDayDto = z.infer<typeof getMailDay.answer>;
