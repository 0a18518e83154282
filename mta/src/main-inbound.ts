import { runProcesses } from '@selvage/core/processes/run-processes';

// The door where the world delivers

await runProcesses({
  name: 'inbound',
  processes: (config) => config.processes.inbound,
  healthPort: (config) => config.inboundHealthPort,
  // Loaded only where the work is done
  start: async (config) => (await import('./inbound/start-inbound.ts')).startInbound(config),
});
