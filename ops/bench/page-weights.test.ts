import { describe, expect, it } from 'vitest';
import { measureVisit, missingFiles, screens } from './page-weights.ts';

/**
 * Modules that the mail screens load only when they are needed. Of other features they have only
 * the page descriptors.
 */
const denied: Record<string, RegExp> = {
  zod: /node_modules\/zod\//,
  'the editor': /node_modules\/roosterjs/,
  'placing of menus and tips': /node_modules\/@fluentui\/react-positioning\//,
  charts: /node_modules\/(recharts|d3-)/,
  'the live connection': /node_modules\/(socket\.io|engine\.io)/,
  'another feature': /webmail\/src\/features\/(?!mail\/)[^/]+\/(?!pages\.ts$)/,
  'the icons of the console': /app\/shell\/ConsoleIcon/,
  'writing a message': /features\/mail\/compose\/Compose/,
  'the gallery': /webmail\/src\/gallery\//,
};

function strangersIn(modules: string[]): string[] {
  return Object.entries(denied).flatMap(([what, pattern]) =>
    modules.filter((module) => pattern.test(module)).map((module) => `${what}: ${module}`),
  );
}

describe('a first visit', () => {
  it.each(Object.entries(screens))('to %s stays small', (_name, screen) => {
    const { kiB } = measureVisit(screen.roots);
    expect(kiB, 'KiB of scripts, which ./ops/bench/first-load lists').toBeLessThanOrEqual(screen.mostKiB);
    // A build that is incomplete would pass as well
    expect(kiB).toBeGreaterThan(50);
  });

  it('to the login page takes few requests', () => {
    const { roots, mostRequests } = screens.login;
    const forTheCaptcha = 1;
    expect(measureVisit(roots).requests + forTheCaptcha).toBeLessThanOrEqual(mostRequests);
  });

  it.each(['mail list', 'reading'] as const)('to %s loads nothing that only other screens need', (name) => {
    const { modules } = measureVisit(screens[name].roots);
    expect(modules.length).toBeGreaterThan(100);
    expect(strangersIn(modules)).toEqual([]);
  });

  it('names the module that does not belong to it', () => {
    const zod = 'node_modules/zod/v4/classic/schemas.js';
    const console = 'webmail/src/features/settings/AccountSettingsPage.tsx';
    const own = ['webmail/src/features/settings/pages.ts', 'webmail/src/features/mail/FolderPage.tsx'];
    expect(strangersIn([...own, zod, console])).toEqual([`zod: ${zod}`, `another feature: ${console}`]);
  });

  it('asks for no file that the build does not have', () => {
    expect(missingFiles()).toEqual([]);
  });
});
