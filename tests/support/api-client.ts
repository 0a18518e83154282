import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { encodePassword } from '@selvage/core/contracts/fields';
import type { Envelope } from '@selvage/core/contracts/endpoint';
import type { TestHost } from './test-host.ts';
import { until } from './until.ts';

/**
 * The letters of a captcha. While this process stands still, its commands to Redis may count as
 * timed out although they were answered. So the letters are read once more then.
 */
export async function readLetters({ redis }: TestHost['app'], token: string): Promise<string> {
  const read = () => redis.get(`captcha:${token}`);
  const letters = await read().catch((error: unknown) => {
    if (error instanceof Error && error.message === 'Command timed out') return read();
    throw error;
  });
  return letters ?? '';
}

/** A token is valid for 15 minutes, and tests on a busy machine may take longer. */
const renewAfterMs = 10 * 60_000;

interface Answer<T> {
  status: number;
  body: Envelope<T>;
}

/** A logged-in person, who calls the API as the webmail does. */
export class ApiClient {
  readonly host: Pick<TestHost, 'app' | 'url'>;
  token = '';
  refreshToken = '';
  /** When the token is exchanged, by `performance.now()`. */
  #renewAt = Infinity;

  constructor(host: Pick<TestHost, 'app' | 'url'>) {
    this.host = host;
  }

  /** Calls the API and returns any answer. */
  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    if (performance.now() > this.#renewAt) await this.#renew();
    return await this.#send<T>(method, path, body);
  }

  async #send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.host.url}/api/v1${path}`, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Envelope<T> };
  }

  /** Calls the API and returns `data`. Throws when the call fails, which fails the test. */
  async data<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (!answer.body.success) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data as T;
  }

  /** A captcha and its answer, which is read from Redis. */
  async captcha(): Promise<{ captcha_token: string; captcha_text: string }> {
    const response = await fetch(`${this.host.url}/api/v1/captcha`);
    const { captcha_token } = (await response.json()) as { captcha_token: string };
    return { captcha_token, captcha_text: await readLetters(this.host.app, captcha_token) };
  }

  /** Logs in and returns the answer, which has no envelope. */
  async signIn(email: string, password: string): Promise<Record<string, unknown>> {
    const body = { email, password: encodePassword(password), ...(await this.captcha()) };
    const answer = (await this.call('POST', '/user/login', body)).body as unknown as Record<string, unknown>;
    this.token = String(answer['token'] ?? '');
    this.refreshToken = String(answer['refreshToken'] ?? '');
    this.#renewAt = performance.now() + renewAfterMs;
    return answer;
  }

  async #renew(): Promise<void> {
    // Calls at the same time go on with the old token
    this.#renewAt = performance.now() + renewAfterMs;
    const { body } = await this.#send('POST', '/user/refresh', { refreshToken: this.refreshToken });
    const { token, refreshToken } = body as unknown as { token?: string; refreshToken?: string };
    if (!token || !refreshToken) return;
    this.token = token;
    this.refreshToken = refreshToken;
  }

  /** The first page of a folder. */
  folder(filter = 'received_status'): Promise<EmailRowDto[]> {
    return this.data('GET', `/mail/get/sent/by_user?${filter}=true&limit=100`);
  }

  email(id: string): Promise<EmailDto> {
    return this.data('GET', `/mail/get/${id}`);
  }

  /** Waits for a message in a folder by its subject. */
  awaitMessage(subject: string | RegExp, filter = 'received_status'): Promise<EmailRowDto> {
    const isIt = (row: EmailRowDto) =>
      typeof subject === 'string' ? row.subject === subject : subject.test(row.subject);
    return until(`a message "${subject}" in ${filter}`, async () => (await this.folder(filter)).find(isIt), 30_000);
  }
}
