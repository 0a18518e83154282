import { noteAnswer } from './connection.ts';
import { busyCode, noteNetworkError, type RawAnswer } from './http.ts';
import { noteServerTime } from './server-clock.ts';
import { noteVersion, webVersionHeader } from './web-version.ts';

/**
 * The form of a multipart call. Fields have their names in the contract, and each value of a list
 * is a `name[]`.
 */
export function toFormData(body: Record<string, unknown>, files: File[], fileField = 'attachments'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, String(item));
    else form.append(name, String(value));
  }
  for (const file of files) form.append(fileField, file, file.name);
  return form;
}

interface Upload {
  method: string;
  url: string;
  token: string | null;
  form: FormData;
  onProgress?: ((share: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const IDLE_MS = 30_000;

/**
 * Sends a form with progress, which fetch can't report. The time-out counts from the last byte
 * sent, so that slow lines can upload.
 */
export function upload({ method, url, token, form, onProgress, signal }: Upload): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const askedAt = Date.now();
    let idle = 0;
    const settle = (): void => {
      clearTimeout(idle);
      signal?.removeEventListener('abort', stop);
    };
    const giveUp = (error: Error): void => {
      settle();
      reject(error);
      request.abort();
    };
    const stop = (): void => giveUp(new DOMException('Aborted', 'AbortError'));
    const touch = (): void => {
      clearTimeout(idle);
      idle = window.setTimeout(() => giveUp(noteNetworkError(new DOMException('', 'TimeoutError'))), IDLE_MS);
    };
    request.open(method, url);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => {
      touch();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      settle();
      const { status, responseText: text } = request;
      noteAnswer(status, busyCode({ status, text }));
      noteVersion(request.getResponseHeader(webVersionHeader));
      noteServerTime(request.getResponseHeader('date'), askedAt);
      resolve({ status, text, retryAfter: request.getResponseHeader('retry-after') });
    };
    request.onerror = () => giveUp(noteNetworkError(new TypeError('network')));
    signal?.addEventListener('abort', stop, { once: true });
    // The browser's word for a connection that went dead; it is no error event
    request.ontimeout = () => giveUp(noteNetworkError(new DOMException('', 'TimeoutError')));
    // The caller may have given up while this module was loading
    if (signal?.aborted) {
      stop();
      return;
    }
    touch();
    request.send(form);
  });
}
