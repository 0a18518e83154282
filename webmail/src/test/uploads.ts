import { vi } from 'vitest';
import { subjectOf } from '../lib/session.ts';

/** A multipart call that has arrived at the simulated server and waits for its answer. */
export interface Arrived {
  /** The path after `/api/v1`. */
  path: string;
  /** The id of the person who made the call. */
  person: string;
  fields: Record<string, string>;
  /** The names of its files. */
  files: string[];
  answer: (status: number, body: object) => void;
  /** Simulates that the connection breaks before an answer arrives. */
  lose: () => void;
}

/** Intercepts the multipart calls of the page, until the test removes its stubs. */
export function takeUploads(): Arrived[] {
  const arrived: Arrived[] = [];
  class Line {
    readonly upload = {};
    status = 0;
    responseText = '';
    onload = (): void => undefined;
    onerror = (): void => undefined;
    #path = '';
    #token = '';

    open(_method: string, url: string): void {
      this.#path = url.replace('/api/v1', '');
    }

    setRequestHeader(_name: string, value: string): void {
      this.#token = value.slice('Bearer '.length);
    }

    getResponseHeader(): null {
      return null;
    }

    abort(): void {
      // After this, the call fires no more events
    }

    send(form: FormData): void {
      const all = [...form.entries()];
      arrived.push({
        path: this.#path,
        person: subjectOf(this.#token),
        fields: Object.fromEntries(all.flatMap(([name, value]) => (value instanceof File ? [] : [[name, value]]))),
        files: all.flatMap(([, value]) => (value instanceof File ? [value.name] : [])),
        answer: (status, body) => {
          this.status = status;
          this.responseText = JSON.stringify(body);
          this.onload();
        },
        lose: () => this.onerror(),
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', Line);
  return arrived;
}
