import { invalid } from '@selvage/core/errors';
import { FairQueue } from '@selvage/core/fair-queue';
import { log } from '@selvage/core/log';
import { pictureType } from '@selvage/core/mail/picture-type';
import type sharp from 'sharp';

type Sharp = typeof sharp;

/** Width and height of every avatar. */
const sidePixels = 256;
/**
 * The decoded picture takes 64 MB at most. A file of a few kilobytes can decode to a picture of any
 * size.
 */
const maxPixels = 4096 * 4096;
const timeLimitSeconds = 10;

let loaded: Promise<Sharp> | undefined;
/**
 * Two pictures at once, so that many uploads can't exhaust the memory. A company has one of them at
 * most, so its uploads never hold up those of all the others.
 */
const drawings = new FairQueue({ atOnce: 2, waiting: 100, ofKey: 1 });

/**
 * Redraws an uploaded picture as a small WebP. Everything else in the file (scripts, locations,
 * appended files) is dropped.
 * @param company whose picture it is: companies take turns
 * @throws 422 when it is not a PNG, JPEG, WebP or GIF; 503 when too many pictures wait
 */
export async function decodePicture(bytes: Buffer, company: string): Promise<Buffer> {
  // Checks the first bytes, so that vector pictures, documents and videos never reach a decoder
  if (pictureType(bytes) === null) throw notAPicture();
  loaded ??= loadDecoder();
  const decoder = await loaded;
  return await drawings.run(company, () => draw(decoder, bytes));
}

/**
 * Loads the decoder when it is first needed, with one thread and no cache, since most processes
 * never draw anything.
 */
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
    return await decoder(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: timeLimitSeconds })
      .autoOrient()
      .resize(sidePixels, sidePixels, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
  } catch (error) {
    log.info('a picture could not be decoded', { error });
    const isHuge = error instanceof Error && /pixel limit/.test(error.message);
    throw isHuge ? refuse('The picture has too many pixels: at most 4096 x 4096.') : notAPicture();
  }
}

function notAPicture(): Error {
  return refuse('This is not a picture that can be shown. Choose a PNG, JPEG, WebP or GIF file.');
}

function refuse(text: string): Error {
  return invalid({ avatar: text }, text);
}
