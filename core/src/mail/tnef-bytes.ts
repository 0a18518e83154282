/**
 * Thrown when bytes contradict their declared length or form. The caller keeps what was read
 * before.
 */
export class TnefDamaged extends Error {}

/** Reads little-endian values one after the other, and never beyond the end. */
export class TnefBytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** A view of the next bytes, not a copy. @throws TnefDamaged when there are fewer */
  take(length: number): Buffer {
    if (length > this.left) throw new TnefDamaged('cut off');
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  skip(length: number): void {
    this.take(Math.min(length, this.left));
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }
}
