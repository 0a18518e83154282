import { TextDecoder } from 'node:util';

/**
 * The text of bytes in an unknown charset: UTF-8 if it is valid, else Windows-1252, which reads any
 * bytes.
 */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
