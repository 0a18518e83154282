import type { App } from '@selvage/core/context/app';

let running: App | undefined;

/** Hands the started parts to the plugins, which Haraka loads by itself and can't give anything. */
export function setRunningApp(app: App): void {
  running = app;
}

/** The started parts of this process. */
export function runningApp(): App {
  if (!running) throw new Error('the door was opened before the application started');
  return running;
}
