import { readFile } from 'node:fs/promises';

/**
 * One file for each letter and digit that a captcha may have: 8,000 samples a second, one channel
 * of 8 bits. They were made with Flite and its voice `slt` (`flite -voice slt -t "bee, bravo"`).
 */
const clips = new URL('letters/', import.meta.url);

/** The bytes of a WAV file before its samples: RIFF, `fmt ` of 16 bytes, the head of `data`. */
const HEADER_BYTES = 44;
const SAMPLES_A_SECOND = 8_000;
/** Samples are unsigned, so silence is their middle. */
const pause = Buffer.alloc(SAMPLES_A_SECOND * 0.6, 128);

/**
 * Speaks letters and digits one after the other, each letter with its word of the spelling
 * alphabet. Capitals sound as small letters do.
 * @returns a WAV file
 */
export async function speakLetters(text: string): Promise<Buffer> {
  const files = await Promise.all([...text.toLowerCase()].map((letter) => readFile(new URL(`${letter}.wav`, clips))));
  const samples = Buffer.concat(files.flatMap((file) => [pause, file.subarray(HEADER_BYTES)]));
  return Buffer.concat([headerOf(samples.length), samples]);
}

function headerOf(length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // PCM, one channel
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_A_SECOND, 24);
  header.writeUInt32LE(SAMPLES_A_SECOND, 28);
  // One byte a sample, 8 bits each
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  return header;
}
