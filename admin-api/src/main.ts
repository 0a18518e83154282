import { runProcesses } from '@selvage/core/cluster/run-processes';

// The HTTP API, the websocket and the web app

await runProcesses({
  name: 'admin-api',
  processes: (config) => config.processes.api,
  healthPort: null,
  // Loaded only in the process that does the work
  start: async (config) => (await import('./start-api.ts')).startApi(config),
});
