import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { FairQueue } from '../fair-queue.ts';
import { passwordHashes } from '../metrics.ts';

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

// The first choice of OWASP's password storage recommendations: 19 MiB, two passes.
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
// Guessing cannot find a password of 112 random bits, however fast a guess is (NIST SP 800-63B
// 3.1.2.2), so its hash is as cheap as Argon2 allows.
const costOfRandom: Cost = { memory: 8, passes: 1, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/**
 * Verified in place of an account that does not exist, so that its answer takes as long. No
 * password belongs to it.
 */
const hashOfNoAccount = formatHash(Buffer.alloc(saltBytes), Buffer.alloc(tagBytes));

// A hash keeps one core busy for tens of milliseconds. One core is left for mail while passwords
// are guessed at.
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
const queue = new FairQueue({ atOnce, waiting: 256 });

/** The hash to store: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(salt, await queue.run('', () => derive(password, salt, tagBytes, cost)));
}

/**
 * The hash of a password that the host made itself from at least 112 random bits: thousands of them
 * cost no more than one hash of a password that a person chose.
 */
export async function hashRandomPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(salt, await derive(password, salt, tagBytes, costOfRandom), costOfRandom);
}

function formatHash(salt: Buffer, tag: Buffer, used = cost): string {
  return `${headOf(used)}$${encode(salt)}$${encode(tag)}`;
}

function headOf({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
}

/**
 * True if the password belongs to the stored hash. Null (no such account) takes as long and is
 * always false. Few hashes are computed at once. While many wait, the networks of the callers take
 * turns.
 * @throws AppError 503 when too many wait
 */
export async function verifyPassword(password: string, stored: string | null, network = ''): Promise<boolean> {
  const parts = phcForm.exec(stored ?? hashOfNoAccount);
  if (parts === null) throw new Error('a stored password hash has an unknown form');
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts;
  const expected = Buffer.from(hash, 'base64');
  const used: Cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const actual = await queue.run(network, async () => {
    const tag = await derive(password, Buffer.from(salt, 'base64'), expected.length, used);
    // A cheap hash would tell by its time that the account exists
    if (used.memory < cost.memory) await derive(password, Buffer.alloc(saltBytes), tagBytes, cost);
    return tag;
  });
  return timingSafeEqual(actual, expected) && stored !== null;
}

/** True if the hash was made with another cost than today's. */
export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`${headOf(cost)}$`);
}

async function derive(password: string, salt: Buffer, tagLength: number, used: Cost): Promise<Buffer> {
  passwordHashes.inc();
  // The same characters typed on another system must give the same bytes.
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  return await new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, tagLength, ...used }, (error, tag) =>
      error === null ? resolve(tag) : reject(error),
    );
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
