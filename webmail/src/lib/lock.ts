/** Longer than any work under a lock may take; a tab that was closed in the middle stops nobody for more than this. */
const LEASE_MS = 35_000;
/** Writing and reading back this much later shows whether another tab wrote at the same time. */
const SETTLE_MS = 50;

/** Runs one piece of work at a time in all tabs. */
export function underLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  // plain http on a name other than localhost has no locks
  return 'locks' in navigator ? navigator.locks.request(name, work) : underStoredLock(name, work);
}

async function underStoredLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const key = `${name}.lock`;
  const mine = `${Math.random().toString(36).slice(2)}:${Date.now()}`;
  while (!(await take(key, mine))) await pause();
  try {
    return await work();
  } finally {
    if (localStorage.getItem(key) === mine) localStorage.removeItem(key);
  }
}

async function take(key: string, mine: string): Promise<boolean> {
  const holder = localStorage.getItem(key);
  if (holder && Date.now() - Number(holder.split(':')[1]) < LEASE_MS) return false;
  localStorage.setItem(key, mine);
  await pause();
  return localStorage.getItem(key) === mine;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
