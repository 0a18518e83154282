import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { attachmentLimits } from '@selvage/core/contracts/mail';
import { tooLarge, unsupportedMedia } from '@selvage/core/errors';
import type { Config } from '@selvage/core/process/config';
import { temporaryName } from '@selvage/core/temporary-files';
import { multipart } from 'formidable';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { z } from 'zod';
import { bodyProblem } from './body-problem.ts';
import { groupFields } from './form-fields.ts';
import { readParts } from './form-parts.ts';
import { readJson } from './read-json.ts';
import { endTurn } from './request-turns.ts';
import { baseName, refuseCutShort, removeFiles, type UploadedFile, uploadDirectory } from './uploads.ts';

/** The body of a request before the contract has checked it. */
export interface RawBody {
  fields: unknown;
  files: UploadedFile[];
  /**
   * Paths of files to remove when the request ends, including uploads that were refused halfway.
   */
  paths: Set<string>;
}

const jsonLimit = 1_048_576;
/**
 * For calls without a login. It is below `smallMessage`, so a stranger can reserve no memory for
 * messages.
 */
const publicLimit = 16_384;
/**
 * The contract allows 5 million characters for the text of a message, of up to 4 bytes each in
 * UTF-8.
 */
const fieldsLimit = 20_971_520;
/** Where a body is read to. */
interface Reading {
  /** Even when the reading fails, its `paths` name the files to remove afterwards. */
  body: RawBody;
  /** Called with the bytes that have arrived. What it throws ends the reading. */
  count: (bytes: number) => void;
}

/** Reads the body of a call. */
export async function readBody(koa: Context, endpoint: Endpoint, config: Config, reading: Reading): Promise<void> {
  if (!hasBody(koa)) return;
  const isForm = endpoint.bodyKind === 'multipart' && koa.is('multipart/form-data');
  if (!isForm && !koa.is('application/json')) {
    throw unsupportedMedia(
      `Send this as ${endpoint.bodyKind === 'multipart' ? 'multipart/form-data' : 'application/json'}.`,
    );
  }
  try {
    if (isForm) await readForm(koa, endpoint, config, reading);
    else {
      const most = endpoint.bodyKind === 'multipart' ? fieldsLimit : jsonLimitOf(endpoint);
      reading.body.fields = await readJson(koa.req, most, reading.count);
    }
  } catch (error) {
    throw bodyProblem(error);
  }
}

/** The largest JSON body of a call that takes no form. */
export function jsonLimitOf({ bodyLimit, needs }: Endpoint): number {
  return bodyLimit ?? (needs === 'public' ? publicLimit : jsonLimit);
}

function hasBody(koa: Context): boolean {
  return koa.get('transfer-encoding') !== '' || Number(koa.get('content-length') || 0) > 0;
}

async function readForm(koa: Context, endpoint: Endpoint, config: Config, { body, count }: Reading): Promise<void> {
  const readMultipart = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    patchNode: false,
    formidable: {
      // By default formidable also parses JSON, for any content type that contains the word
      enabledPlugins: [multipart, readParts],
      uploadDir: uploadDirectory(config),
      filename: temporaryName,
      // As large as a whole message, so that `checkFiles` can say which file is too large
      maxFileSize: config.maxMessageBytes,
      maxTotalFileSize: config.maxMessageBytes,
      maxFiles: attachmentLimits.files,
      maxFields: 1000,
      maxFieldsSize: fieldsLimit,
      allowEmptyFiles: true,
      minFileSize: 0,
      onFileBegin: (_name, file) => body.paths.add(file.filepath),
    },
  });
  endTurn(koa.req);
  const most = config.maxMessageBytes + fieldsLimit + jsonLimit;
  watchBytes(koa.req, (bytes) => {
    if (bytes > most) throw tooLarge('The request is too large.');
    count(bytes);
  });
  await readMultipart(koa, async () => undefined);
  body.fields = groupFields((koa.request.body ?? {}) as Record<string, string | string[]>, listNamesOf(endpoint));
  const files = Object.entries(koa.request.files ?? {}).flatMap(([field, files]) =>
    [files].flat().map((file) => ({
      field,
      path: file.filepath,
      name: baseName(file.originalFilename ?? ''),
      contentType: file.mimetype ?? 'application/octet-stream',
      size: file.size,
    })),
  );
  // Formidable lists files in the order in which it finished writing them
  const order = [...body.paths];
  body.files = files.toSorted((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
  await refuseCutShort(body.files);
}

/**
 * Calls a check with the bytes that have arrived, and ends the form when it throws. Formidable
 * limits files and fields, but keeps the header of a part in memory however long it is.
 */
function watchBytes(request: IncomingMessage, check: (bytes: number) => void): void {
  let bytes = 0;
  const count = (piece: Buffer) => {
    bytes += piece.length;
    try {
      check(bytes);
    } catch (error) {
      request.off('data', count);
      // Formidable discards what it has read and ignores the rest
      request.emit('error', error);
    }
  };
  const begin = (event: string | symbol) => {
    if (event !== 'data') return;
    request.off('newListener', begin);
    // Counting begins only when formidable listens as well, since the first listener starts the
    // flow of data
    request.on('data', count);
  };
  request.on('newListener', begin);
}

const listNames = new WeakMap<Endpoint, ReadonlySet<string>>();

/** Names of fields of a multipart body that are lists, even if the caller sent only one value. */
function listNamesOf(endpoint: Endpoint): ReadonlySet<string> {
  let names = listNames.get(endpoint);
  if (names === undefined) {
    names = findListNames(endpoint);
    listNames.set(endpoint, names);
  }
  return names;
}

function findListNames(endpoint: Endpoint): ReadonlySet<string> {
  if (!(endpoint.body instanceof z.ZodObject)) return new Set();
  const shape = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' });
  const lists = Object.entries(shape.properties ?? {}).filter(
    ([, property]) => typeof property === 'object' && property.type === 'array',
  );
  return new Set(lists.map(([name]) => name));
}

/** A body of which nothing has been read yet. */
export function emptyBody(): RawBody {
  return { fields: undefined, files: [], paths: new Set() };
}

/** Removes the files of a request. */
export async function discardBody(body: RawBody): Promise<void> {
  await removeFiles(body.paths);
}
