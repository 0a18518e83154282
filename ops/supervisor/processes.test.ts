import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { v8Options } from './processes.ts';

const compose = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
/** The first program names the options, and the others refer to them by these names. */
const named = new Map([...compose.matchAll(/- &(\S+) (--\S+)/g)].map(([, name, option]) => [`*${name}`, option]));

it('docker-compose.yml has the same options of V8', () => {
  expect([...named.values()]).toEqual(v8Options);
});

it.each(['mta/src/main-inbound.ts', 'mta/src/main-submission.ts', 'workers/src/main.ts'])(
  'docker-compose.yml starts %s with them',
  (program) => {
    const line = compose.split('\n').find((text) => text.includes(`${program}]`)) ?? '';
    expect(line.match(/\*[\w-]+/g)).toEqual([...named.keys()]);
  },
);
