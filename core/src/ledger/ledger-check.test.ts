import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { Message } from '../models/message.ts';
import { deleteOldRows } from '../sweeps/retention.ts';
import { readLedgerDays } from './ledger-days.ts';
import { dayMs, periodOfDay, type UtcDay, utcDayAt } from '../utc-day.ts';

const program = join(import.meta.dirname, '../../../ops/ledger-check');

let environment: NodeJS.ProcessEnv;
let app: App;
let ctx: Ctx;
let people: Mailbox[];

beforeAll(async () => {
  environment = await testEnvironment();
  app = await startTestApp(environment);
  ctx = systemContext(app);
  people = [await buildMailbox(app), await buildMailbox(app)];
});

interface Answer {
  code: number;
  output: string;
  errors: string;
}

/** Runs the command as an operator does, with only this environment. */
async function ledgerCheck(args: string[], changes: NodeJS.ProcessEnv = {}): Promise<Answer> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...environment, ...changes };
  return await new Promise((resolve) => {
    execFile(program, args, { env }, (error, output, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, errors });
    });
  });
}

/** A message to two people, so many days ago. */
async function receiveDaysAgo(count: number): Promise<{ day: UtcDay; mailId: string }> {
  const day = utcDayAt(Date.now() - count * dayMs);
  const at = new Date(periodOfDay(day).from.getTime() + dayMs / 2);
  const { messageId } = await receive(ctx, people);
  await Message.update({ createdAt: at }, { where: { id: messageId }, silent: true });
  await Delivery.update({ createdAt: at }, { where: { messageId }, silent: true });
  const { mailId } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  return { day, mailId };
}

describe('./ops/ledger-check', { timeout: 120_000 }, () => {
  it('ends with status 0 on a day whose mail is accounted for, and with 1 when one row of two is lost', async () => {
    const { day, mailId } = await receiveDaysAgo(3);
    expect(await ledgerCheck([day])).toEqual({
      code: 0,
      output: [
        `ledger of ${day} (UTC)`,
        'in : 2 accepted = 2 stored + 0 relayed + 0 bounced + 0 held + 0 queued; 0 refused, 0 not sent',
        'out: 0 accepted = 0 stored + 0 relayed + 0 bounced + 0 held + 0 queued; 0 refused, 0 not sent',
        'every message is accounted for\n',
      ].join('\n'),
      errors: '',
    });
    await Delivery.destroy({ where: { mailId, recipient: people[0]?.user.email ?? '' } });
    const { code, output, errors } = await ledgerCheck([day]);
    expect({ code, errors }).toEqual({ code: 1, errors: `1 messages with fewer rows than recipients: ${mailId}\n` });
    expect(output).toContain('in : 1 accepted = 1 stored');
    expect(output).not.toContain('every message is accounted for');
  });

  it('looks at the day of today unless it is told another', async () => {
    const { code, output } = await ledgerCheck([]);
    expect(code).toBe(0);
    expect(output).toMatch(/^ledger of \d{4}-\d{2}-\d{2} \(UTC\)\n/);
  });

  it('says in one sentence why a day can not be looked at, and ends with status 2', async () => {
    const tomorrow = utcDayAt(Date.now() + dayMs);
    const [old, kept] = [utcDayAt(Date.now() - 5 * dayMs), utcDayAt(Date.now() - 4 * dayMs)];
    const asked: [string[], string, NodeJS.ProcessEnv?][] = [
      [['yesterday'], 'yesterday is not a day: write it as 2026-11-30'],
      [['2026-13-01'], '2026-13-01 is not a day: write it as 2026-11-30'],
      [['2026-02-30'], 'there is no 2026-02-30 in the calendar'],
      [[tomorrow], `${tomorrow} has not begun yet, in UTC`],
      [[old, tomorrow], 'name one day at most'],
      [
        [old],
        `not all rows of ${old} are kept any more (LEDGER_DAYS); the first whole day is ${kept}`,
        { LEDGER_DAYS: '5' },
      ],
    ];
    for (const [args, sentence, changes] of asked) {
      expect(await ledgerCheck(args, changes)).toEqual({ code: 2, output: '', errors: `selvage: ${sentence}\n` });
    }
  });

  it('raises no alarm over rows that were deleted for their age, also when they would be kept for longer by now', async () => {
    const { day, mailId } = await receiveDaysAgo(8);
    const ended = new Date(Date.now() - 8 * dayMs);
    await app.db.query('UPDATE deliveries SET updated_at = :ended WHERE mail_id = :mailId', {
      replacements: { ended, mailId },
    });
    expect((await ledgerCheck([day])).code).toBe(0);
    // Age counts from the newest row
    await receiveDaysAgo(0);
    expect(await deleteOldRows(ctx, 'deliveries', { days: 6 })).toBe(2);
    const answer = await ledgerCheck([day], { LEDGER_DAYS: '400' });
    expect(answer).toMatchObject({ code: 2, output: '' });
    expect(answer.errors).toContain(`not all rows of ${day} are kept any more`);
    expect((await readLedgerDays(ctx)).map((one) => one.day)).not.toContain(day);
    expect((await ledgerCheck([utcDayAt(Date.now() - 5 * dayMs)])).code).toBe(0);
  });

  it('says so within seconds when the database is away', async () => {
    const away = new URL(environment['DATABASE_URL'] ?? '');
    away.hostname = '127.0.0.1';
    away.port = '9';
    away.search = '';
    const { code, errors } = await ledgerCheck([], { DATABASE_URL: away.toString() });
    expect(code).toBe(2);
    expect(errors).toMatch(/^selvage: the database can't be reached[^\n]*\n$/);
  });
});
