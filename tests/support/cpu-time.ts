/**
 * Milliseconds that this thread has computed so far. Unlike a clock, it stands still while other
 * threads have the processor.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
