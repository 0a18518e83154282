import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureVisit, screens } from '../../ops/bench/page-weights.ts';
import { openBrowser } from '../support/browser.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

/** Runs in the page: notes when the form stands there. */
const NOTE_FORM = `new MutationObserver((_changes, observer) => {
  if (!document.querySelector('form input[name="email"]')) return;
  observer.disconnect();
  window.formAt = performance.now();
}).observe(document, { childList: true, subtree: true });`;

/** Runs in the page: the scripts that it asked for, with the times. */
const READ_SCRIPTS = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .map(({ name, startTime }) => ({ file: new URL(name).pathname.slice(1), isBefore: startTime < window.formAt }))`;

interface Script {
  file: string;
  isBefore: boolean;
}

const scriptsOf = (page: Page) => page.evaluate<Script[]>(READ_SCRIPTS);

/** Opens the login page as a new visitor whose browser says this about the line. */
async function visit(line: object, prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await (await openBrowser()).newPage();
  await prepare(page);
  await page.addInitScript(
    (said) => Object.defineProperty(navigator, 'connection', { value: said, configurable: true }),
    line,
  );
  await page.goto(`${host.url}/auth/sign-in`);
  await page.getByLabel('Email').waitFor();
  return page;
}

const needed = () => measureVisit(screens.login.roots).scripts.map(({ file }) => file);

describe('a first visit to the login page', () => {
  it('asks for the form alone until it is there, and then for what comes next, in few files', async () => {
    const page = await visit({ saveData: false, effectiveType: '4g' }, (blank) => blank.addInitScript(NOTE_FORM));
    const all = await until('the mail list is fetched ahead', async () => {
      const scripts = await scriptsOf(page);
      return scripts.some(({ file }) => file.includes('FolderPage')) && scripts;
    });
    const files = (isBefore: boolean) => all.filter((script) => script.isBefore === isBefore).map(({ file }) => file);
    expect(files(true).toSorted()).toEqual(needed().toSorted());
    expect(files(false).length).toBeLessThanOrEqual(12);
  });

  it.each([{ saveData: true, effectiveType: '4g' }, { effectiveType: '3g' }])(
    'fetches nothing ahead where the browser says %o',
    async (line) => {
      const scripts = new Set<string>();
      const page = await visit(line, async (blank) => {
        blank.on('request', (request) => {
          if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.slice(1));
        });
        await blank.clock.install();
      });
      await page.getByAltText('Letters to copy into the field below').waitFor();
      // longer than it waits for a quiet moment
      await page.clock.runFor(30_000);
      expect([...scripts].toSorted()).toEqual(needed().toSorted());
    },
  );
});
