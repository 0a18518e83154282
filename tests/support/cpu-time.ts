/** Milliseconds that this thread has computed so far: unlike a clock it does not run while others have the processor. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
