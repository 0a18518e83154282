import type { App } from '@selvage/core/context/app';
import { readDisk } from '@selvage/core/read-disk';

/** The disk that messages are stored on, in bytes. */
export async function readBlobDisk({ config }: App): Promise<{ free: number; total: number }> {
  const { freeBytes, sizeBytes } = await readDisk(config.blobStore.directory);
  return { free: freeBytes, total: sizeBytes };
}
