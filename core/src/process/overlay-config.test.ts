import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as configs from './config.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { overlayConfig } from './overlay-config.ts';

// Stands for a version in which two values that are right by themselves can't be used together
vi.mock('./config.ts', async (original) => {
  const actual = await original<typeof configs>();
  return {
    ...actual,
    loadConfig: (env: NodeJS.ProcessEnv) => {
      if (env['MAX_RECIPIENTS'] === '50' && env['UNDO_MS'] === '5000') {
        throw new actual.ConfigError(['UNDO_MS: is too long for 50 recipients']);
      }
      return actual.loadConfig(env);
    },
  };
});

let directory: string;
let config: Config;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'selvage-overlay-'));
  config = loadConfig({ SELVAGE_DATA: directory, SESSION_LIMIT: '9' });
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('overlayConfig', () => {
  it('puts the variables of the list over what the process was started with', () => {
    const inForce = overlayConfig(config, { SESSION_LIMIT: ' 7 ', NO_SETTING: 'x' });
    expect(inForce).toMatchObject({ sessionLimit: 7, source: { stored: { SESSION_LIMIT: '7' }, unusable: {} } });
  });

  it('leaves out the one value that does not go with the others, and keeps these', () => {
    const inForce = overlayConfig(config, { MAX_RECIPIENTS: '50', SESSION_LIMIT: '7', UNDO_MS: '5000', UNDO: 'x' });
    expect(inForce).toMatchObject({ maxRecipients: 50, sessionLimit: 7, undoMs: 3500 });
    expect(inForce.source.stored).toEqual({ MAX_RECIPIENTS: '50', SESSION_LIMIT: '7' });
    expect(inForce.source.unusable).toEqual({
      UNDO_MS: 'It can’t be used together with the variables before it: UNDO_MS: is too long for 50 recipients',
    });
  });

  it('leaves the process as it was started when nothing of the list can be used', () => {
    rmSync(directory, { recursive: true });
    const broken = { ...config, source: { ...config.source, given: { SELVAGE_DATA: '/dev/null/x' } } };
    expect(() => loadConfig(broken.source.given)).toThrow(ConfigError);
    const inForce = overlayConfig(broken, { SESSION_LIMIT: '7', UNDO_MS: '5000' });
    expect(inForce).toMatchObject({ sessionLimit: 9, undoMs: 3500, source: { stored: {} } });
    expect(Object.keys(inForce.source.unusable)).toEqual(['SESSION_LIMIT', 'UNDO_MS']);
  });
});
