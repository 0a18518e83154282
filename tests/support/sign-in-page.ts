import type { Page } from 'playwright-core';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';
import { until } from './until.ts';

type Person = Pick<Mailbox, 'user' | 'password'>;

/** The login page, used as a person would. Only the captcha's answer comes from Redis. */
export class SignInPage {
  readonly page: Page;
  readonly #host: ReachableHost;
  #shown = '';
  #used = '';

  constructor(page: Page, host: ReachableHost) {
    this.page = page;
    this.#host = host;
    page.on('response', (response) => {
      if (!response.url().endsWith('/api/v1/captcha')) return;
      response.json().then(
        ({ captcha_token: token }: { captcha_token: string }) => (this.#shown = token),
        () => undefined, // The page was left meanwhile
      );
    });
  }

  async open(path = '/auth/sign-in'): Promise<void> {
    await this.page.goto(`${this.#host.url}${path}`);
  }

  /** Types the letters of a captcha that was not used yet. */
  async copyLetters(): Promise<void> {
    const letters = await until('a new captcha', async () => {
      const isNew = this.#shown !== '' && this.#shown !== this.#used;
      return isNew && (await this.#host.app.redis.get(`captcha:${this.#shown}`));
    });
    this.#used = this.#shown;
    const field = this.page.getByLabel('Letters in the picture');
    // A new picture empties the field, once
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

  /** Fills the form in and sends it. The caller waits for what follows. */
  async submit(person: Person): Promise<void> {
    await this.fill(person);
    await this.page.getByRole('button', { name: 'Log in', exact: true }).click();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }
}
