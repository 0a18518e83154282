import { Readable } from 'node:stream';
import type { Ctx } from '@selvage/core/context/context';
import { askStranger } from '@selvage/core/dns/ask-stranger';
import { AppError, notFound } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { pictureType } from '@selvage/core/mail/picture-type';
import type { ShownMessage } from '@selvage/core/mail/show-message';
import { Turns } from './turns.ts';

/*
 * Remote pictures of a message (D42). The server fetches them, so that their sender learns nothing
 * about the reader: no address, cookie, referrer or browser. The server streams them, and keeps
 * only the beginning of a picture in memory.
 */

const limits = { bytes: 10 * 1_048_576, milliseconds: 15_000, redirects: 3 };
/** How many bytes tell the type of a picture. */
const beginningBytes = 32;

const ofPerson = new Turns({ atOnce: 6, waiting: 400 });
/** One person can't take all turns of a host, which others ask for pictures as well. */
const ofHost = new Turns({ atOnce: 12, ofKey: 6, waiting: 400 });
const ofAll = new Turns({ atOnce: 48, waiting: 2000 });

const addresses = new WeakMap<ShownMessage, ReadonlySet<string>>();

/** Whether the message, as it is shown, has a picture with this address. */
export function hasRemoteImage(shown: ShownMessage, url: string): boolean {
  const known = addresses.get(shown) ?? new Set(remoteImagesOf(shown.html));
  addresses.set(shown, known);
  return known.has(url);
}

/**
 * The address of a remote picture, and its tag until there. The sanitiser escapes `<` and `>`
 * within attributes, so only real tags match.
 */
export const remoteImage = /(<img\b[^<>]*?) data-remote-src="([^"]*)"/gi;

/**
 * The addresses of the remote pictures. The sanitiser escapes these four characters in attributes.
 */
function* remoteImagesOf(html: string): Generator<string> {
  for (const [, , url = ''] of html.matchAll(remoteImage)) {
    yield url.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  }
}

/** A picture that is being passed on from the other server. */
interface RemoteImage {
  type: string;
  content: Readable;
}

/** A picture that a person asks for. */
interface AskedImage {
  userId: string;
  url: string;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
}

/**
 * Fetches a picture for a person. Its turns last until its content is closed, so the caller must
 * close it in time, whether or not the client reads it.
 * @throws AppError 404 when there is no picture at the address; 503 when too many requests wait
 */
export async function fetchRemoteImage(ctx: Ctx, asked: AskedImage): Promise<RemoteImage> {
  const turns = await takeTurns(asked);
  const end = () => turns.forEach((endTurn) => endTurn());
  try {
    const image = await openImage(ctx, asked);
    image.content.once('close', end);
    return image;
  } catch (error) {
    end();
    if (error instanceof AppError) throw error;
    // The sender's server failed, or the sender chose a false address. The log does not name the
    // address, since it is content of the message
    log.info('a remote picture could not be fetched', { error });
    throw notFound('file', 'This picture could not be fetched.');
  }
}

async function takeTurns({ userId, url, gone }: AskedImage): Promise<(() => void)[]> {
  const taken: (() => void)[] = [];
  try {
    taken.push(await ofPerson.take(userId, '', gone));
    taken.push(await ofHost.take(new URL(url).hostname, userId, gone));
    taken.push(await ofAll.take('', userId, gone));
    return taken;
  } catch (error) {
    for (const endTurn of taken) endTurn();
    throw error;
  }
}

async function openImage(ctx: Ctx, { url, gone }: AskedImage): Promise<RemoteImage> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(limits.milliseconds)]);
  const answer = await askStranger({
    url,
    signal,
    mayBePlain: true,
    redirects: limits.redirects,
    headers: { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' },
    resolver: ctx.app.resolver,
    mayBePrivate: ctx.app.config.remoteContentAllowPrivate,
  });
  try {
    if (answer.statusCode !== 200) throw new Error(`the server answered with status ${answer.statusCode}`);
    if (Number(answer.headers['content-length'] ?? 0) > limits.bytes) throw new Error('the picture is too large');
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const beginning = await readBeginning(pieces);
    const type = pictureType(beginning);
    if (type === null) throw new Error('there is no picture');
    const content = Readable.from(bounded(beginning, pieces), { objectMode: false });
    content.once('close', () => answer.destroy());
    return { type, content };
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

async function readBeginning(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let beginning = Buffer.alloc(0);
  while (beginning.length < beginningBytes) {
    const { done, value } = await pieces.next();
    if (done) break;
    beginning = Buffer.concat([beginning, value]);
  }
  return beginning;
}

async function* bounded(beginning: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let size = beginning.length;
  yield beginning;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    size += next.value.length;
    if (size > limits.bytes) throw new Error('the picture is too large');
    yield next.value;
  }
}
