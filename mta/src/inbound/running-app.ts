import type { App } from '@selvage/core/context/app';

let running: App | undefined;

/**
 * Makes the started app available to the plugins. Haraka loads them itself and passes them no
 * arguments.
 */
export function setRunningApp(app: App): void {
  running = app;
}

/** The started app of this process. */
export function runningApp(): App {
  if (!running) throw new Error('the door was opened before the application started');
  return running;
}
