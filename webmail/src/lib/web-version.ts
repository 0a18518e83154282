import { webVersionHeader, webVersionOf } from '@selvage/core/contracts/web-version';
import { atom } from 'nanostores';

/**
 * Whether the server has a newer web app than the one that runs here. Once true it stays true until
 * a reload.
 */
export const hasNewVersion = atom(false);

export { webVersionHeader };

/** The version of the web app that runs here; null while developing. */
export function ownVersion(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script && webVersionOf(script.src);
}

/** Notes the version that the server names; null when it names none. */
export function noteVersion(version: string | null): void {
  if (!version || hasNewVersion.get()) return;
  const own = ownVersion();
  if (own !== null && own !== version) hasNewVersion.set(true);
}
