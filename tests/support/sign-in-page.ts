import type { Page } from 'playwright-core';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';
import { until } from './until.ts';

type Person = Pick<Mailbox, 'user' | 'password'>;

/** The login page, used as a person would. Only the captcha's answer comes from Redis. */
export class SignInPage {
  readonly page: Page;
  readonly #host: ReachableHost;
  #shown = { captcha_token: '', svg: '' };
  #used = '';

  constructor(page: Page, host: ReachableHost) {
    this.page = page;
    this.#host = host;
    page.on('response', (response) => {
      if (!response.url().endsWith('/api/v1/captcha')) return;
      response.json().then(
        (captcha: { captcha_token: string; svg: string }) => (this.#shown = captcha),
        () => undefined, // The page was left meanwhile
      );
    });
  }

  async open(path = '/auth/sign-in'): Promise<void> {
    await this.page.goto(`${this.#host.url}${path}`);
  }

  /** Types the letters of a captcha that has not been used yet. */
  async copyLetters(): Promise<void> {
    const picture = this.page.getByAltText('Letters to copy into the field below');
    const { captcha_token: token } = await until('a new captcha is shown', async () => {
      const captcha = this.#shown;
      if (captcha.captcha_token === '' || captcha.captcha_token === this.#used) return null;
      // A captcha picture that loads after the letters were typed would empty their field
      const source = (await picture.getAttribute('src', { timeout: 1000 })) ?? '';
      return source.endsWith(encodeURIComponent(captcha.svg)) && captcha;
    });
    this.#used = token;
    const letters = await until('its letters are known', () => this.#host.app.redis.get(`captcha:${token}`));
    await this.page.getByLabel('Letters in the picture').fill(letters);
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
