/**
 * The result of one round: messages per second, and by process the milliseconds of processor time
 * per message.
 */
export interface Round {
  rate: number;
  cpu: Record<string, number>;
}

/**
 * Rounds that run before those that count. The JavaScript engine needs some thousand messages until
 * it has compiled all hot code.
 */
export const warmingRounds = 3;

/** The figures of a round per message. */
export function roundOf(
  messages: number,
  seconds: number,
  before: Record<string, number>,
  after: Record<string, number>,
): Round {
  const cpu = Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / messages]);
  return { rate: messages / seconds, cpu: Object.fromEntries(cpu) };
}

export function median(numbers: number[]): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? 0;
}

/** One line for all rounds of one host. */
export function summary(all: Round[]): string {
  const names = Object.keys(all[0]?.cpu ?? {});
  const cpu = names.map((name) => ({ name, ms: median(all.map((round) => round.cpu[name] ?? 0)) }));
  const sum = cpu.reduce((total, { ms }) => total + ms, 0);
  const parts = cpu.filter(({ ms }) => ms >= 0.05).map(({ name, ms }) => `${name} ${ms.toFixed(2)}`);
  return `${median(all.map(({ rate }) => rate)).toFixed(1)} messages/s; CPU ms a message ${sum.toFixed(2)} (${parts.join(', ')})`;
}

/** How many times as fast one host was as the other in the same round, as one line. */
export function ratioLine(own: readonly Round[], other: readonly Round[]): string {
  const ratios = own.map(({ rate }, round) => rate / (other[round]?.rate ?? Number.NaN));
  return `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`;
}
