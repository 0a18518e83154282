import type { App } from '@selvage/core/context/app';
import { readDisk } from '@selvage/core/read-disk';

/** Free and total bytes of the disk that stores messages. */
export async function readBlobDisk({ config }: App): Promise<{ free: number; total: number }> {
  const { freeBytes, sizeBytes } = await readDisk(config.blobStore.directory);
  return { free: freeBytes, total: sizeBytes };
}
