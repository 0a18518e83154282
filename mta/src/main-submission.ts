import { runProcesses } from '@selvage/core/cluster/run-processes';

// Receives mail from mail programs

await runProcesses({
  name: 'submission',
  processes: (config) => config.processes.submission,
  healthPort: (config) => config.submissionHealthPort,
  // Loaded only in processes that do the work, and not in their primary
  start: async (config) => (await import('./submission/start-submission.ts')).startSubmission(config),
});
