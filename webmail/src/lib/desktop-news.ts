import { atom } from 'nanostores';
import { storageKeys } from './storage-keys.ts';

/*
 * Notifications on the desktop about new mail, for a person who does not look at this page. The
 * setting is for this browser alone, since the browser asks for the permission.
 */

const ON = 'on';

/** Whether this browser can show such news at all. */
export const hasDesktopNews = 'Notification' in window;

const areWanted = (): boolean =>
  hasDesktopNews && localStorage.getItem(storageKeys.desktopNews) === ON && Notification.permission === 'granted';

/** Whether the person wants the news, and the browser allows them. */
export const desktopNews = atom(areWanted());
// The choice was made in another tab
window.addEventListener('storage', ({ key }) => {
  if (key === storageKeys.desktopNews) desktopNews.set(areWanted());
});

/**
 * Turns the news on; the browser may ask the person.
 * @returns whether they are on now; the browser may refuse
 */
export async function turnOnDesktopNews(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  localStorage.setItem(storageKeys.desktopNews, ON);
  desktopNews.set(true);
  return true;
}

export function turnOffDesktopNews(): void {
  localStorage.removeItem(storageKeys.desktopNews);
  desktopNews.set(false);
}

/** Shows news, unless the person looks at the page: there a toast says the same. */
export function tellDesktop(text: string, open: () => void): void {
  if (!desktopNews.get() || document.visibilityState === 'visible') return;
  const news = notificationOf(text);
  if (!news) return;
  news.onclick = () => {
    window.focus();
    news.close();
    open();
  };
}

/** Null where the browser refuses: on phones only service workers may show notifications. */
function notificationOf(body: string): Notification | null {
  try {
    // The same tag from each tab: the desktop shows one of them
    return new Notification('Selvage', { body, tag: 'new-mail', icon: '/icon-192.png' });
  } catch {
    return null;
  }
}
