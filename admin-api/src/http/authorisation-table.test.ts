import { effectivePermissions, holdsPermission } from '@selvage/core/access/effective-permissions';
import { systemContext } from '@selvage/core/context/context';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import type { Endpoint, Needs } from '@selvage/core/contracts/endpoint';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { endpoints } from '@selvage/core/contracts/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../test-server.ts';
import { bodyOf, type Kind, kindOf, recordAt, settingKinds, type World, worldOf } from './test-records.ts';

/*
 * Every call that needs a permission, made by every kind of actor about a record in every place.
 * What has to happen is worked out here from the contract alone, so a call that is added is in the
 * table at once.
 */

/** The actors, the one with the fewest rights first. */
const actors = ['anonymous', 'user', 'flagged', 'admin', 'staff', 'superAdmin'] as const;
type ActorName = (typeof actors)[number];

/** Where the record is that a call names, seen from the actor. */
const places = ['own', 'same', 'other', 'above', 'deleted', 'missing'] as const;
export type Place = (typeof places)[number];

/** What a call comes to. `through`: the call is judged by its own rules, whatever these say. */
type Outcome = 'unknown' | 'forbidden' | 'hidden' | 'through';

type Gated = Pick<Endpoint, 'method' | 'path'> & { needs: Exclude<Needs, string> };

let server: TestServer;
let world: World;
const counts = { combinations: 0, refused: 0, unexpected: 0 };

const calls = Object.entries(endpoints).flatMap(([name, { method, path, needs }]): [string, Gated][] =>
  typeof needs === 'object' ? [[name, { method, path, needs }]] : [],
);

/** Records that no other person reaches, whatever flags they hold. */
const ownKinds: ReadonlySet<Kind> = new Set<Kind>(['entry', 'sent', 'draft', 'copied', 'ownBackup', ...settingKinds]);

/** The provider's alone, whatever flags a person of a tenant holds. */
const isOfHost = (name: string, { path }: Gated): boolean =>
  path.startsWith('/module/') || ['createCompany', 'createClient', 'vouchForDomain', 'getLedgerProof'].includes(name);

beforeAll(async () => {
  server = await startTestServer();
  world = await worldOf(server);
}, 60_000);

afterAll(() => {
  const { combinations, refused, unexpected } = counts;
  process.stdout.write(
    `authorisation table: ${calls.length} calls, ${combinations} combinations, ${refused} refused, ${unexpected} unexpected\n`,
  );
});

function expectedOutcome(
  [name, endpoint]: [string, Gated],
  { actor, permissions, kind, place }: { actor: ActorName; permissions: PermissionEntry[]; kind: Kind; place: Place },
): Outcome {
  if (actor === 'anonymous') return 'unknown';
  // Of two flags, the first is that of the body that the table sends
  const { own, or: _or, ...needed } = endpoint.needs;
  const flag = own && place === 'own' ? own : needed;
  if (!holdsPermission(permissions, flag.model, flag.action)) return 'forbidden';
  const isTenant = actor !== 'staff' && actor !== 'superAdmin';
  if (isTenant && isOfHost(name, endpoint)) return 'forbidden';
  // To answer a message, or to choose for its sender, needs the right to read it as well
  const isRead = kind === 'entry' && holdsPermission(permissions, 'inbox', 'view');
  const needsRead = ['replyOrForward', 'answerInvitation', 'addImageSender'].includes(name);
  if (needsRead && place === 'own' && !isRead) return 'forbidden';
  if (kind === 'none') return 'through';
  if (place === 'missing') return 'hidden';
  // Mail and settings are the person's own, for every other person of the host as well
  if (ownKinds.has(kind)) return place === 'own' ? 'through' : 'hidden';
  const isElsewhere = place === 'other' || (kind === 'company' && place !== 'own');
  return isTenant && isElsewhere ? 'hidden' : 'through';
}

function outcomeOf(status: number, code: unknown): Outcome {
  if (status === 401) return 'unknown';
  if (status === 403 && code === 'forbidden') return 'forbidden';
  // The message was found, and brings no invitation
  if (code === 'invitation_not_found') return 'through';
  // The owner of the mail was found, and the reader is a stranger
  if (code === 'reader_not_found') return 'through';
  // The company was found, and has no such archive
  if (code === 'archive_not_found') return 'through';
  return status === 404 ? 'hidden' : 'through';
}

const placesOf: Record<Kind, readonly Place[]> = {
  none: ['same'],
  company: ['own', 'other', 'above', 'deleted', 'missing'],
  client: ['same', 'other', 'deleted', 'missing'],
  role: places,
  user: places,
  module: ['same', 'missing'],
  alias: ['own', 'same', 'other', 'missing'],
  group: ['same', 'other', 'missing'],
  domain: ['same', 'other', 'deleted', 'missing'],
  entry: ['own', 'same', 'other', 'missing'],
  sent: ['same', 'other', 'missing'],
  backup: ['own', 'same', 'other', 'missing'],
  ownBackup: ['own', 'same', 'other', 'missing'],
  copied: ['own', 'same', 'other', 'missing'],
  draft: ['own', 'same', 'other', 'missing'],
  delivery: ['same', 'other', 'missing'],
  appPassword: ['own', 'same', 'other', 'missing'],
  signature: ['own', 'same', 'other', 'missing'],
  imageSender: ['own', 'same', 'other', 'missing'],
  blocked: ['own', 'same', 'other', 'missing'],
  filter: ['own', 'same', 'other', 'missing'],
};

async function permissionsOf(actor: ActorName): Promise<PermissionEntry[]> {
  if (actor === 'anonymous') return [];
  return await effectivePermissions(systemContext(server.app), world.people[actor].user);
}

describe('the authorisation table', () => {
  it.each(calls)('holds for %s', { timeout: 60_000 }, async (name, endpoint) => {
    const { own: _own, or: _or, ...flag } = endpoint.needs;
    await world.grant('flagged', flag);
    await world.grant('staff', flag);
    const kind = kindOf(name, endpoint);
    for (const actor of actors) {
      const permissions = await permissionsOf(actor);
      for (const place of placesOf[kind]) {
        const expected = expectedOutcome([name, endpoint], { actor, permissions, kind, place });
        const id = kind === 'none' ? '' : await recordAt(world, { kind, place, actor });
        const body = bodyOf(name, id);
        const answer = await server.call(endpoint.method, pathOf(name, endpoint, id), {
          token: world.tokens[actor],
          ...(endpoint.method === 'GET' ? {} : { body: body ?? {} }),
        });
        const found = outcomeOf(answer.status, answer.body['code']);
        counts.combinations += 1;
        if (found !== 'through') counts.refused += 1;
        if (found !== expected) counts.unexpected += 1;
        expect([actor, place, found, answer.status]).toEqual([actor, place, expected, answer.status]);
        expect(answer.status, `${actor} about a record in ${place}`).toBeLessThan(500);
        const isRanked = kind === 'user' || kind === 'role';
        if (isRanked && place === 'above' && endpoint.method !== 'GET' && actor !== 'superAdmin') {
          expect([actor, place, answer.status >= 400]).toEqual([actor, place, true]);
        }
        if (found === 'through' && endpoint.method !== 'GET') world.forget();
      }
    }
  });

  it('lets a Super Admin of the provider through to every call', () => {
    const { superAdmin } = builtInRole;
    expect(world.people.superAdmin.role.roleId).toBe(superAdmin);
  });
});

function pathOf(name: string, endpoint: Gated, id: string): string {
  const path = endpoint.path.replace(/:\w+/g, id || '1');
  return name === 'getPermissions' ? `${path}?user_id=${id}` : path;
}
