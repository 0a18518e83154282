/**
 * Has the browser keep the files of the app, so that it opens without a network. Only for people
 * who have logged in here. A browser that refuses goes on without.
 */
export function keepShell(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
}
