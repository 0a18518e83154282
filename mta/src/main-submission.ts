import { runProcesses } from '@selvage/core/processes/run-processes';

// The doors where mail programs submit

await runProcesses({
  name: 'submission',
  processes: (config) => config.processes.submission,
  healthPort: (config) => config.submissionHealthPort,
  // Loaded only where the work is done
  start: async (config) => (await import('./submission/start-submission.ts')).startSubmission(config),
});
