import DOMPurify, { type Config } from 'dompurify';

/*
 * The one place where the webmail sanitises HTML that others wrote: the editor, quoting, and the frame of a message. The server has sanitised
 * what it gives out, and this does it once more. No HTML is parsed into the page's own document before it has been here: pictures begin to load,
 * and handlers of failed pictures to run, the moment they belong to a page.
 */

interface Options {
  /** Elements that are left out beside scripts, frames and what else is never taken. */
  forbid?: readonly string[];
  /** Attributes that are kept beside the usual ones. */
  keep?: readonly string[];
}

function configOf({ forbid = [], keep = [] }: Options): Config {
  return { USE_PROFILES: { html: true }, FORBID_TAGS: [...forbid], ADD_ATTR: [...keep], FORCE_BODY: true };
}

/** HTML without scripts, handlers and frames. */
export function sanitizeHtml(html: string, options: Options = {}): string {
  return DOMPurify.sanitize(html, configOf(options));
}

/**
 * The HTML as a document of its own that loads nothing and runs nothing. Its body is sanitised; its head is as it was, since the style sheet and
 * the marks of the program that wrote it stand there.
 */
export function parseSanitized(html: string, options: Options = {}): Document {
  const page = new DOMParser().parseFromString(html, 'text/html');
  DOMPurify.sanitize(page.body, { ...configOf(options), IN_PLACE: true });
  return page;
}
