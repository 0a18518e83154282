import { expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../../../tests/support/dns-server.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { checkSpf } from './check-spf.ts';
import { Questions } from './questions.ts';
import { readTried } from './try-records.ts';

const domain = 'evil.test';
const sender = { domain, host: 'host.test', addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'] };
const others = Array.from({ length: 10 }, (_, index) => `e${index}.test`);
const includes = `v=spf1 ${others.map((name) => `include:${name}`).join(' ')}`;

it.each([
  ['that includes itself, with modifiers', `v=spf1 include:evil.test ${'x= '.repeat(21_800)}`, 'leads back to itself'],
  ['of modifiers alone', `v=spf1 ${'x= '.repeat(21_800)}`, 'can’t be understood'],
  ['of one term', `v=spf1 a:a.${'a'.repeat(8000)}!`, 'can’t be understood'],
  ['of one term that no receiver knows', `v=spf1 ${'a'.repeat(65_000)}`, 'which no receiver knows'],
])('does not stand still for a record to try %s', async (_what, content, problem) => {
  const prepare = readTried(domain, { type: 'TXT', name: '@', content });
  const { found, held } = await checkWith(prepare);
  expect(held).toBeLessThan(100);
  expect(found.part).toMatchObject({ valid: false, details: expect.stringContaining(problem) as string });
  // The history of a domain keeps this text
  expect(Buffer.byteLength(found.part.details)).toBeLessThan(30_000);
});

it.each([
  ['modifiers', 'x= '.repeat(15_000)],
  ['networks', 'ip6:::1 '.repeat(7000)],
])('does not stand still for an answer of the DNS with %s', async (_what, terms) => {
  const { found, held } = await checkWith(async () => {}, `v=spf1 ${terms}`);
  expect(held).toBeLessThan(100);
  expect(found.part.valid).toBe(false);
});

it('does not stand still for networks of ten domains, as long as a record may be', async () => {
  const { found, held } = await checkWith(async (questions) => {
    questions.pretend('TXT', domain, [`${includes} -all`]);
    for (const name of others) questions.pretend('TXT', name, [`v=spf1 ${'ip6:::1 '.repeat(1000)}`]);
  });
  expect(held).toBeLessThan(100);
  expect(found.part.details).toContain('does not let host.test');
});

/** Checks a domain of which the DNS has one text, and says how long that held the event loop. */
async function checkWith(prepare: (questions: Questions) => Promise<void>, text = 'nothing') {
  const dns = await startDnsServer({ [domain]: { TXT: [text.match(/.{1,255}/g)] } });
  onTestFinished(() => dns.stop());
  const questions = new Questions([dns.address]);
  await prepare(questions);
  const checked = Promise.withResolvers<Awaited<ReturnType<typeof checkSpf>>>();
  const held = await longestTurn(async () => checked.resolve(await checkSpf(questions, sender)));
  return { found: await checked.promise, held };
}
