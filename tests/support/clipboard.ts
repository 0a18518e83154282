import type { Locator, Page } from 'playwright-core';

/** A file that another program puts on the clipboard, or that a person drags into the page. */
export interface GivenFile {
  name: string;
  type: string;
  base64: string;
}

/** The clipboard content of another program. */
export interface Copied {
  html?: string;
  text?: string;
  files?: readonly GivenFile[];
}

/** Runs code in the page with an element and the data that a browser would give the page. */
function run(body: string, copied: Copied, more: unknown = {}): string {
  return `(({ html, text, files = [] }, more) => {
    const data = new DataTransfer();
    if (html !== undefined) data.setData('text/html', html);
    if (text !== undefined) data.setData('text/plain', text);
    for (const { name, type, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    const element = document.querySelector('[data-target]');
    element.removeAttribute('data-target');
    ${body}
  })(${JSON.stringify(copied)}, ${JSON.stringify(more)})`;
}

async function runAt(target: Locator, script: string): Promise<void> {
  await target.evaluate((element) => element.setAttribute('data-target', ''));
  await target.page().evaluate(script);
}

/**
 * Pastes into an element as from another program, including content that no page may put on the
 * clipboard.
 */
export async function paste(target: Locator, copied: Copied): Promise<void> {
  const event = `new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })`;
  await runAt(target, run(`element.focus(); element.dispatchEvent(${event});`, copied));
}

/** Drops files on an element. */
export async function drop(target: Locator, files: readonly GivenFile[]): Promise<void> {
  const { x = 0, y = 0 } = (await target.boundingBox()) ?? {};
  const options = { bubbles: true, cancelable: true, clientX: x + 20, clientY: y + 20 };
  const events = `for (const type of ['dragover', 'drop']) {
    element.dispatchEvent(new DragEvent(type, { dataTransfer: data, ...more }));
  }`;
  await runAt(target, run(events, { files }, options));
}

/** A picture that no format can compress: each of its pixels has a random colour. */
export async function noisyPicture(page: Page, name: string, side: number, type = 'image/png'): Promise<GivenFile> {
  const address = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${side}, height: ${side} });
    const context = canvas.getContext('2d');
    const image = context.createImageData(${side}, ${side});
    for (let start = 0; start < image.data.length; start += 65_536) {
      crypto.getRandomValues(image.data.subarray(start, start + 65_536));
    }
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    context.putImageData(image, 0, 0);
    return canvas.toDataURL('${type}');
  })()`);
  return { name, type, base64: address.slice(address.indexOf(',') + 1) };
}
