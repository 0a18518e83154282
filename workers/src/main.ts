import { runProcesses } from '@selvage/core/cluster/run-processes';

// Jobs, sweeps and outgoing mail

await runProcesses({
  name: 'workers',
  processes: (config) => config.processes.workers,
  healthPort: (config) => config.workersHealthPort,
  // Loaded only in processes that do the work, and not in their primary
  start: async (config) => (await import('./start-workers.ts')).startWorkers(config),
});
