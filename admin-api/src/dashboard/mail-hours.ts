import type { Scope } from '@selvage/core/context/actor';
import type { Ctx } from '@selvage/core/context/context';
import { mailHour } from '@selvage/core/contracts/dashboard';
import { latestHours, mailOfHours } from '@selvage/core/ledger/mail-by-hour';
import { log } from '@selvage/core/log';
import { parseKept } from '@selvage/core/parse-kept';
import { z } from 'zod';

type MailHourDto = z.infer<typeof mailHour>;

const hoursOfDay = 24;
/** The present hour and the one before are counted on every call: most changes are in these. */
const liveHours = 2;
/**
 * For how long the counts of an hour are cached, for each hour of its age. The older an hour, the
 * less of its mail can still bounce.
 */
const keptMsPerHour = 120_000;
const expirySeconds = 86_400;

/** By the start of each hour: its counts, and until when these are used. */
const keptHours = z.record(z.string(), z.object({ until: z.number(), hour: mailHour }).optional());
type KeptHours = z.infer<typeof keptHours>;

/**
 * The mail of the last 24 hours, oldest hour first. A busy host has hundreds of thousands of rows
 * for these, so all processes share the counts of past hours in Redis. Their cache times differ, so
 * a call has to count only a few hours again.
 */
export async function readMailHours(ctx: Ctx, scope: Scope, now = Date.now()): Promise<MailHourDto[]> {
  const starts = latestHours(hoursOfDay, now);
  const key = `mail-hours:${scope.kind === 'host' ? 'host' : scope.companyId}`;
  const kept = await readKept(ctx, key);
  const ageOf = (start: number): number => starts.length - 1 - starts.indexOf(start);
  const missing = starts.filter((start) => ageOf(start) < liveHours || (kept[start]?.until ?? 0) <= now);
  const hours: KeptHours = Object.fromEntries(starts.map((start) => [start, kept[start]]));
  for (const { at, ...counts } of await mailOfHours(ctx, scope, missing)) {
    const until = now + ageOf(at.getTime()) * keptMsPerHour;
    hours[at.getTime()] = { until, hour: { at: at.toISOString(), ...counts } };
  }
  if (missing.length > liveHours) await keep(ctx, key, hours);
  return starts.flatMap((start) => hours[start]?.hour ?? []);
}

async function readKept({ app }: Ctx, key: string): Promise<KeptHours> {
  try {
    return parseKept(await app.redis.get(key), keptHours, key) ?? {};
  } catch (error) {
    // Then all hours are counted, which takes longer but gives the same result
    log.warn('counted hours of mail could not be read', { error });
    return {};
  }
}

async function keep({ app }: Ctx, key: string, hours: KeptHours): Promise<void> {
  try {
    await app.redis.set(key, JSON.stringify(hours), 'EX', expirySeconds);
  } catch (error) {
    log.warn('counted hours of mail could not be kept', { error });
  }
}
