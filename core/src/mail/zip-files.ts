import { crc32 } from 'node:zlib';

/*
 * Writes a zip archive of uncompressed files (PKWARE APPNOTE 4.3, method 0), one file after the
 * other. fflate's stream puts sizes after each file, which several programs reject for uncompressed
 * files. Here the sizes are known in advance, and come before each file.
 */

/** A file and its name in the archive. */
export interface ZippedFile {
  name: string;
  content: Buffer;
}

const needs = 20;
/** Names are UTF-8 (4.4.4, bit 11). */
const utf8Names = 0x0800;

/**
 * The bytes of an archive. Only one file at a time is in memory; together they must have less than
 * 4 GiB.
 * @param when the time of each file
 */
export async function* zipFiles(
  files: AsyncIterable<ZippedFile> | Iterable<ZippedFile>,
  when: Date,
): AsyncGenerator<Buffer, void> {
  const nameOnce = namesOnce();
  const entries: Buffer[] = [];
  let at = 0;
  for await (const { name, content } of files) {
    const path = Buffer.from(nameOnce(name));
    const facts = factsOf(path, content, when);
    const local = localHeader(facts, path);
    entries.push(centralHeader(facts, path, at));
    at += local.length + content.length;
    yield local;
    yield content;
  }
  const directory = Buffer.concat(entries);
  yield directory;
  yield endOf(entries.length, directory.length, at);
}

/** The fields that both headers of a file share (4.3.7, from the version to the extra length). */
function factsOf(path: Buffer, content: Buffer, when: Date): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(needs, 0);
  facts.writeUInt16LE(utf8Names, 2);
  facts.writeUInt32LE(dosTime(when), 6);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(content.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(path.length, 22);
  return facts;
}

function localHeader(facts: Buffer, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path]);
}

function centralHeader(facts: Buffer, path: Buffer, at: number): Buffer {
  const before = Buffer.from('PK\x01\x02\x14\x00', 'latin1');
  const after = Buffer.alloc(14);
  after.writeUInt32LE(at, 10);
  return Buffer.concat([before, facts, after, path]);
}

function endOf(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return end;
}

/**
 * Date and time in the format of MS-DOS, in UTC: that format has no time zone, and begins in 1980.
 */
function dosTime(when: Date): number {
  const year = Math.min(Math.max(when.getUTCFullYear() - 1980, 0), 127);
  const date = (year << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate();
  const time = (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

const mostNameBytes = 255;

/** Makes names unique: the second `a.txt`, or `A.TXT`, becomes `a (2).txt`. */
function namesOnce(): (name: string) => string {
  const taken = new Set<string>();
  // The last number for each name, so that many files of the same name take linear time
  const numbers = new Map<string, number>();
  return (name) => {
    const key = name.toLowerCase();
    let free = name;
    let number = numbers.get(key) ?? 1;
    while (taken.has(free.toLowerCase())) {
      number += 1;
      free = numbered(name, number);
    }
    numbers.set(key, number);
    taken.add(free.toLowerCase());
    return free;
  };
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  const suffix = ` (${number})${ending}`;
  const room = mostNameBytes - Buffer.byteLength(suffix);
  const stem = Buffer.from(name.slice(0, name.length - ending.length))
    .subarray(0, room)
    .toString();
  return stem.replace(/\ufffd+$/, '') + suffix;
}
