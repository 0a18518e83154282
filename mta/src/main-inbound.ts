import { runProcesses } from '@selvage/core/cluster/run-processes';

// Receives mail from other mail servers

await runProcesses({
  name: 'inbound',
  processes: (config) => config.processes.inbound,
  healthPort: (config) => config.inboundHealthPort,
  // Loaded only in processes that do the work, and not in their primary
  start: async (config) => (await import('./inbound/start-inbound.ts')).startInbound(config),
});
