import type { App } from '@selvage/core/context/app';
import { statfs } from 'node:fs/promises';

/** The disk that messages are stored on, in bytes. */
export async function readDisk({ config }: App): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(config.blobStore.directory);
  return { free: bavail * bsize, total: blocks * bsize };
}
