import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { parseMessage } from './parse-message.ts';
import { isRobot, stateOfAbsence } from './vacation-rules.ts';

const automatic = async (...lines: string[]): Promise<boolean> => {
  const raw = ['From: a@a.test', ...lines, '', 'Text'].join('\r\n');
  return (await parseMessage(Buffer.from(raw))).isAutomatic;
};

describe('isAutomatic', () => {
  it.each([
    'Auto-Submitted: auto-generated',
    'Auto-Submitted: Auto-Replied (vacation)',
    'Auto-Submitted:',
    'Precedence: BULK',
    'Precedence: list',
    'Precedence: junk',
    'List-Id: <a.b.test>',
    'List-Unsubscribe: <https://a.test>',
    'X-Auto-Response-Suppress: All',
    'X-Auto-Response-Suppress: DR, OOF, AutoReply',
    'X-Auto-Response-Suppress: true',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
  ])('is so for %s', async (line) => {
    expect(await automatic(line)).toBe(true);
  });

  it.each([
    'Auto-Submitted: no',
    'Auto-Submitted: No; reason=x',
    'Precedence: first-class',
    'Subject: List-Id',
    'X-Auto-Response-Suppress: DR, RN, NRN',
  ])('is not for %s', async (line) => {
    expect(await automatic(line)).toBe(false);
  });
});

describe('isRobot', () => {
  it.each([
    'noreply@a.test',
    'No-Reply@a.test',
    'shop_noreply@a.test',
    'do-not-reply@a.test',
    'MAILER-DAEMON@a.test',
    'postmaster@a.test',
    'owner-weavers@a.test',
    'weavers-owner@a.test',
    'weavers-request@a.test',
    'bounces+123=a.test@b.test',
    'weavers-bounces@a.test',
  ])('is so for %s', (address) => {
    expect(isRobot(address)).toBe(true);
  });

  it.each(['ana@a.test', 'norah.reply@a.test', 'bounty@a.test', 'owner@a.test'])('is not for %s', (address) => {
    expect(isRobot(address)).toBe(false);
  });

  it('is quick for the longest names', () => {
    const start = cpuTimeMs();
    expect(isRobot(`${'no-'.repeat(20_000)}@a.test`)).toBe(false);
    expect(cpuTimeMs() - start).toBeLessThan(20);
  });
});

describe('stateOfAbsence', () => {
  const absence = { isOn: true, firstDay: '2026-12-24', lastDay: '2026-12-26', timeZone: 'Pacific/Auckland' };
  const at = (moment: string, changes: Partial<typeof absence> = {}) =>
    stateOfAbsence({ ...absence, ...changes }, new Date(moment));

  it('begins and ends with the days of the person, wherever the host is', () => {
    expect(at('2026-12-23T10:59:00Z')).toBe('planned');
    expect(at('2026-12-23T11:01:00Z')).toBe('active');
    expect(at('2026-12-26T10:59:00Z')).toBe('active');
    expect(at('2026-12-26T11:01:00Z')).toBe('over');
    expect(at('2026-12-23T11:01:00Z', { timeZone: 'America/Los_Angeles' })).toBe('planned');
  });

  it('is off when it is off, and has no end without a last day', () => {
    expect(at('2026-12-25T00:00:00Z', { isOn: false })).toBe('off');
    expect(stateOfAbsence({ ...absence, firstDay: null, lastDay: null }, new Date())).toBe('active');
  });
});
