import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * One file for each letter and digit that a captcha may have: 8,000 samples a second, one channel
 * of 8 bits. They were made with Flite and its voice `slt` (`flite -voice slt -t "bee, bravo"`).
 */
const clips = new URL('letters/', import.meta.url);

/** The bytes of a WAV file before its samples: RIFF, `fmt ` of 16 bytes, the head of `data`. */
const headerBytes = 44;
const samplesASecond = 8_000;
/** Samples are unsigned, so silence is their middle. */
const silentSample = 128;
/** How loud the noise is that lies over all of it, in steps of a sample. */
const noiseSteps = 4;

/**
 * Speaks letters and digits one after the other, each letter with its word of the spelling
 * alphabet. Capitals sound as small letters do. Speed and loudness differ a little for each letter
 * and there is some noise, so that a program can't tell the letters by comparing bytes.
 * @returns a WAV file
 */
export async function speakLetters(text: string): Promise<Buffer> {
  const files = await Promise.all([...text.toLowerCase()].map((letter) => readFile(new URL(`${letter}.wav`, clips))));
  const samples = Buffer.concat(files.flatMap((file) => [pauseOf(randomInt(500, 700)), varied(samplesOf(file))]));
  const noise = randomBytes(samples.length);
  for (const [at, value] of samples.entries())
    samples[at] = clamp(value + ((noise[at] ?? 0) % (2 * noiseSteps + 1)) - noiseSteps);
  return Buffer.concat([headerOf(samples.length), samples]);
}

const pauseOf = (ms: number) => Buffer.alloc(Math.round((samplesASecond * ms) / 1000), silentSample);
const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** Without the byte that fills an odd number of samples up (RIFF). */
function samplesOf(file: Buffer): Buffer {
  return file.subarray(headerBytes, headerBytes + file.readUInt32LE(headerBytes - 4));
}

/** The same clip up to a tenth faster or slower, and up to a fifth quieter. */
function varied(clip: Buffer): Buffer {
  const [speed, gain] = [randomInt(90, 111) / 100, randomInt(80, 101) / 100];
  const made = Buffer.alloc(Math.floor(clip.length / speed));
  for (let at = 0; at < made.length; at += 1) {
    const value = clip[Math.floor(at * speed)] ?? silentSample;
    made[at] = clamp(silentSample + (value - silentSample) * gain);
  }
  return made;
}

function headerOf(length: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // PCM, one channel
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesASecond, 24);
  header.writeUInt32LE(samplesASecond, 28);
  // One byte a sample, 8 bits each
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(length, 40);
  return header;
}
