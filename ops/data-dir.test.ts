import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mountSmallDisk } from '../tests/support/small-disk.ts';
import { describeFailure } from '@selvage/core/operator-error';
import { makeDataDir, refuseHostOfOther } from './engines/data-dir.ts';

describe('the data directory', () => {
  it('on a disk that can only be read is refused with a sentence that says so', ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === null) return skip('only root may mount a disk');
    try {
      execFileSync('/bin/mount', ['-o', 'remount,ro', disk.path]);
      const failure = (): string => {
        try {
          makeDataDir(disk.path);
        } catch (error) {
          return describeFailure(error);
        }
        return 'none';
      };
      expect(failure()).toBe(`the file system can only be read: ${disk.path}/secrets`);
      execFileSync('/bin/mount', ['-o', 'remount,rw', disk.path]);
      makeDataDir(disk.path);
      expect(failure()).toBe('none');
    } finally {
      disk.unmount();
    }
  });

  it('of a host without root is refused to root, and stays as it is', ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root may give files to another account');
    const dataDir = mkdtempSync(join(tmpdir(), 'selvage-data-'));
    const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
    try {
      makeDataDir(dataDir);
      makeDataDir(dataDir);
      chownSync(join(dataDir, 'secrets'), uid, uid);
      rmSync(join(dataDir, 'run'), { recursive: true });
      expect(() => makeDataDir(dataDir)).toThrow(
        `the host in ${dataDir} belongs to the account nobody: run this command as that account, with runuser -u nobody -- COMMAND`,
      );
      expect(statSync(join(dataDir, 'run'), { throwIfNoEntry: false })).toBeUndefined();
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('that is still to be made goes by the account of the checkout, if that is one of the system', ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root may give files to another account');
    const checkout = mkdtempSync(join(tmpdir(), 'selvage-checkout-'));
    const refuse = () => refuseHostOfOther(join(checkout, 'var'), checkout);
    try {
      expect(refuse).not.toThrow();
      chownSync(checkout, 1000, 1000);
      expect(refuse).not.toThrow();
      chownSync(checkout, 2, 2);
      expect(refuse).toThrow(
        `the host in ${checkout}/var belongs to the account bin: run this command as that account`,
      );
      mkdirSync(join(checkout, 'var'));
      expect(refuse).not.toThrow();
      chownSync(join(checkout, 'var'), 2, 2);
      expect(refuse).toThrow('belongs to the account bin');
    } finally {
      rmSync(checkout, { recursive: true });
    }
  });
});
