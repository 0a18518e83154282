import type { Page } from 'playwright-core';
import type { Mailbox } from './factories.ts';
import type { TestHost } from './test-host.ts';
import { until } from './until.ts';

type Person = Pick<Mailbox, 'user' | 'password'>;

/** The sign-in page as a person works it. Only what the captcha's picture says comes from Redis. */
export class SignInPage {
  readonly page: Page;
  readonly #host: TestHost;
  #shown = '';
  #used = '';

  constructor(page: Page, host: TestHost) {
    this.page = page;
    this.#host = host;
    page.on('response', (response) => {
      if (!response.url().endsWith('/api/v1/captcha')) return;
      response.json().then(
        ({ captcha_token: token }: { captcha_token: string }) => (this.#shown = token),
        () => undefined, // left in the meantime
      );
    });
  }

  async open(path = '/auth/sign-in'): Promise<void> {
    await this.page.goto(`${this.#host.url}${path}`);
  }

  /** Copies the letters of a picture that has not been used yet. */
  async copyLetters(): Promise<void> {
    const letters = await until('a new captcha', async () => {
      const isNew = this.#shown !== '' && this.#shown !== this.#used;
      return isNew && (await this.#host.app.redis.get(`captcha:${this.#shown}`));
    });
    this.#used = this.#shown;
    const field = this.page.getByLabel('Letters in the picture');
    // a new picture empties the field, once
    await until('the letters stay', async () => {
      await field.fill(letters);
      return (await field.inputValue()) === letters;
    });
  }

  async fill({ user, password }: Person): Promise<void> {
    await this.page.getByLabel('Email').fill(user.email);
    await this.page.getByLabel(/^Password/).fill(password);
    await this.copyLetters();
  }

  /** Fills the form and sends it; what comes then is the caller's to wait for. */
  async submit(person: Person): Promise<void> {
    await this.fill(person);
    await this.page.getByRole('button', { name: 'Log in', exact: true }).click();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }
}
