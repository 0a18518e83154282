import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mountSmallDisk } from '../tests/support/small-disk.ts';
import { describeFailure } from '@selvage/core/operator-error';
import { makeDataDir } from './engines/data-dir.ts';

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
});
