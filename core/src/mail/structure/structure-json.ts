import {
  type MessagePart,
  type MessageStructure,
  type StructurePart,
  structureLimits,
  structureVersion,
} from './message-structure.ts';
import { makeOpaque, StructureScanner } from './structure-scanner.ts';

/** Finds the structure of a message while its bytes arrive, and returns it in its stored form. */
export class StructureReader {
  readonly #scanner = new StructureScanner();

  /** Adds the next bytes of the message. */
  add(bytes: Uint8Array): void {
    this.#scanner.add(bytes);
  }

  /** Returns a MessageStructure as JSON of at most 64 KB. Call it once all bytes were added. */
  finish(): string {
    return writeStructure(this.#scanner.finish());
  }
}

/** Reads the output of `StructureReader`; null when it is of another version. */
export function parseStructure(json: string): MessageStructure | null {
  const structure = JSON.parse(json) as MessageStructure;
  return structure.version === structureVersion ? structure : null;
}

/**
 * Writes a structure as JSON. If it is longer than the bound, the parts at the deepest levels are
 * left out, and the parts around them become opaque.
 */
export function writeStructure(root: MessagePart, jsonBytes: number = structureLimits.jsonBytes): string {
  const structure: MessageStructure = { version: structureVersion, root };
  const json = JSON.stringify(structure);
  if (Buffer.byteLength(json) <= jsonBytes) return json;
  const levels = bytesOfLevels(root);
  let depth = levels.length - 1;
  let bytes = levels.reduce((sum, level) => sum + level, 0);
  while (depth > 0 && bytes > jsonBytes) bytes -= levels[depth--] ?? 0;
  cutBelow(root, depth);
  return JSON.stringify(structure);
}

const bytesAround = 50;

/** The size of the parts of each level as JSON, without their children. */
function bytesOfLevels(root: StructurePart): number[] {
  const levels: number[] = [];
  let parts = [root];
  while (parts.length > 0) {
    levels.push(parts.reduce((sum, part) => sum + bytesAlone(part), 0));
    parts = parts.flatMap(childrenOf);
  }
  return levels;
}

function bytesAlone(part: StructurePart): number {
  return Buffer.byteLength(JSON.stringify({ ...part, parts: undefined, message: undefined })) + bytesAround;
}

function childrenOf({ parts, message }: StructurePart): StructurePart[] {
  return message ? [message] : (parts ?? []);
}

function cutBelow(part: StructurePart, depth: number): void {
  const children = childrenOf(part);
  if (children.length === 0) return;
  if (depth === 0) makeOpaque(part);
  else for (const child of children) cutBelow(child, depth - 1);
}
