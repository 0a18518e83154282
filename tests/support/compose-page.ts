import type { Locator, Page } from 'playwright-core';

/** The parts of a message that a person writes. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** The compose window, used as a person would. */
export class ComposePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  window(): Locator {
    return this.page.getByRole('dialog', { name: 'New Message' });
  }

  field(name: 'To' | 'Cc' | 'Bcc' | 'Subject'): Locator {
    return this.window().getByRole(name === 'Subject' ? 'textbox' : 'combobox', { name, exact: true });
  }

  text(): Locator {
    return this.window().getByLabel('Message text');
  }

  /** The recipients of a field, as a screen reader names them. */
  recipients(name: 'To' | 'Cc' | 'Bcc' = 'To'): Promise<string[]> {
    const chips = this.window()
      .getByRole('list', { name: `${name}: recipients` })
      .locator('[data-chip]');
    return chips.evaluateAll((all) => all.map((chip) => chip.getAttribute('aria-label') ?? ''));
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Compose Email' }).click();
    await this.text().waitFor();
  }

  async write({ to, subject, text }: Letter): Promise<void> {
    await this.field('To').fill(to);
    await this.page.keyboard.press('Enter');
    await this.field('Subject').fill(subject);
    await this.type(text);
  }

  /** Types at the end of the text. */
  async type(text: string): Promise<void> {
    await this.text().click();
    await this.page.keyboard.press('ControlOrMeta+Home');
    await this.page.keyboard.type(text);
  }

  async attach(name: string, content: string): Promise<void> {
    const files = this.window().getByLabel('Files to attach');
    await files.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    await this.window().getByText(name).waitFor();
  }

  /** Presses a button of the window. */
  async press(name: string): Promise<void> {
    await this.window().getByRole('button', { name, exact: true }).click();
  }
}
