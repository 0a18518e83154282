/**
 * Reports a fault of the app to the server, so that its operator learns of it before a person
 * complains. The code for that is loaded when there is a fault.
 */
export function reportFault(fault: unknown): void {
  const path = window.location.pathname;
  // Without its code, as on a line that is cut, there is no report
  import('./send-fault.ts').then(({ sendFault }) => sendFault(fault, path)).catch(() => undefined);
}

/** Reports errors that no other code catches, except those of browser extensions. */
export function watchFaults(): void {
  window.addEventListener('error', ({ error, message, filename }) => {
    const isOwn = filename === '' || filename.startsWith(window.location.origin);
    if (isOwn) reportFault(error ?? message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => reportFault(reason));
}
