import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../tests/support/cpu-time.ts';
import { addressOfCommand } from './address-of-command.ts';

it.each([
  ['RCPT TO:<a b@c.test>', 'a b@c.test'],
  ['RCPT TO: <a@c.test> X=1', 'a@c.test'],
  ['RCPT TO:a:b@c.test', 'a:b@c.test'],
  ['RCPT', ''],
])('reads %j', (command, address) => {
  expect(addressOfCommand(command)).toBe(address);
});

it('reads a long command in time that grows with its length alone', () => {
  const start = cpuTimeMs();
  addressOfCommand(`RCPT TO${':'.repeat(200_000)}\rx`);
  expect(cpuTimeMs() - start).toBeLessThan(100);
});
