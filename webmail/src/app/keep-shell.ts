/**
 * Has the browser keep the files of the app, so that it opens without a network. It is called once
 * a person has logged in here. If the browser refuses, the app works without it.
 */
export function keepShell(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
}
