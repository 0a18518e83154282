import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryName } from '@selvage/core/temporary-files';
import { expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { prepareUploads, uploadDirectory } from './uploads.ts';

it('removes the uploads of a process that died when another starts, and none of one that runs', async () => {
  const { config } = await testApp();
  await prepareUploads(config);
  const dead = `${hostname()}.${spawnSync('true').pid}.${randomUUID()}`;
  const [running, elsewhere] = [temporaryName(), `elsewhere.1.${randomUUID()}`];
  for (const name of [dead, running, elsewhere]) await writeFile(join(uploadDirectory(config), name), 'half');
  await prepareUploads(config);
  expect((await readdir(uploadDirectory(config))).toSorted()).toEqual([running, elsewhere].toSorted());
});
