import { expect, it, vi } from 'vitest';
import { desktopNews, tellDesktop } from './desktop-news.ts';
import { storageKeys } from './storage-keys.ts';

/** What the desktop was asked to show: a simulated browser has no desktop. */
const shown = vi.hoisted(() => {
  const bodies: string[] = [];
  class FakeNotification {
    static permission = 'granted';
    constructor(_title: string, { body = '' }: NotificationOptions) {
      bodies.push(body);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  return bodies;
});

/** As another tab of this browser does it. */
function chooseElsewhere(choice: string | null): void {
  if (choice === null) localStorage.removeItem(storageKeys.desktopNews);
  else localStorage.setItem(storageKeys.desktopNews, choice);
  window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.desktopNews, newValue: choice }));
}

it('follows the choice that the person makes in another tab', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const tell = (): void => tellDesktop('You got new mail', () => undefined);
  tell();
  expect(shown).toEqual([]);
  chooseElsewhere('on');
  tell();
  expect(shown).toEqual(['You got new mail']);
  expect(desktopNews.get()).toBe(true);
  chooseElsewhere(null);
  tell();
  expect(shown).toHaveLength(1);
  expect(desktopNews.get()).toBe(false);
});
