import { invalid } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import type sharp from 'sharp';
import { pictureType } from '../mail/download.ts';

type Sharp = typeof sharp;

/** Width and height of every avatar. */
const SIDE = 256;
/** 64 MB once decoded: a few kilobytes can claim to be a picture of any size. */
const MAX_PIXELS = 4096 * 4096;
const TIME_LIMIT_SECONDS = 10;

let loaded: Promise<Sharp> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Draws an uploaded picture anew, as a small WebP: whatever else was in the file (scripts, places, other files behind it) is gone.
 * @throws 422 when it is no picture that we take
 */
export async function decodePicture(bytes: Buffer): Promise<Buffer> {
  // By its first bytes: vector pictures, documents and videos never come near a decoder
  if (pictureType(bytes) === null) throw notAPicture();
  loaded ??= loadDecoder();
  const decoder = await loaded;
  // One at a time, so that no number of people at once can fill the memory
  const drawing = turn.then(() => draw(decoder, bytes));
  turn = drawing.catch(() => {
    // its own request answers for it; the next one begins anyway
  });
  return await drawing;
}

/** Loaded at the first use, with one thread and no cache: most processes never draw anything. */
async function loadDecoder(): Promise<Sharp> {
  const { default: decoder } = await import('sharp');
  decoder.concurrency(1);
  decoder.cache(false);
  decoder.block({ operation: ['VipsForeignLoad'] });
  const formats = ['Png', 'Jpeg', 'Webp', 'Nsgif'];
  decoder.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}Buffer`) });
  return decoder;
}

async function draw(decoder: Sharp, bytes: Buffer): Promise<Buffer> {
  try {
    return await decoder(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIME_LIMIT_SECONDS })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
  } catch (error) {
    log.info('a picture could not be decoded', { error });
    const isHuge = error instanceof Error && /pixel limit/.test(error.message);
    throw isHuge ? refuse('The picture has too many pixels: at most 4096 x 4096.') : notAPicture();
  }
}

function notAPicture(): Error {
  return refuse('This is not a picture that we can show. Choose a PNG, JPEG, WebP or GIF file.');
}

function refuse(text: string): Error {
  return invalid({ avatar: text }, text);
}
