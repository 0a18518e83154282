/*
 * Opens the app without a network. It caches the files of the first screens, which are the same for
 * everybody, and nothing else: no mail, and no answer of the API. A page is requested from the
 * server first, so that nobody sees an old app after an update. The build fills in the version and
 * the files.
 */
const version = '__VERSION__';
const files = ['__FILES__'];
const prefix = 'selvage-shell-';
/** The path by which the app's page is cached. No public site can have it. */
const page = '/start';
/** Addresses of the app. Those of a public site and of the server itself are left alone. */
const isAppPath = (path) => /^\/(?:dashboard|auth|required_data|start)(?:\/|$)/.test(path);

async function keepShell() {
  const cache = await caches.open(prefix + version);
  const asPage = new Request(page, { headers: { accept: 'text/html' }, cache: 'reload' });
  const answer = await fetch(asPage);
  if (!answer.ok) throw new Error('the page of the app could not be fetched');
  await cache.put(page, answer);
  await cache.addAll(files);
}

async function forgetOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(prefix) && name !== prefix + version);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function takeOver() {
  await forgetOlder();
  // The browser then requests the page while this script starts
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function answerPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const kept = await caches.match(page);
    if (kept) return kept;
    throw error;
  }
}

async function answerFile(event) {
  // A file is named by a hash of its content, so a cached file is never outdated
  return (await caches.match(event.request, { ignoreVary: true })) ?? (await fetch(event.request));
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== self.location.origin) return;
  if (event.request.mode === 'navigate' && isAppPath(pathname)) event.respondWith(answerPage(event));
  else if (files.includes(pathname)) event.respondWith(answerFile(event));
});
