import DOMPurify, { type Config } from 'dompurify';

/*
 * The one place where the webmail sanitises HTML of other people, for the editor, quotes and the
 * frame of a message. The server has sanitised it already, and this does so once more (D20). No
 * HTML is parsed into the page's own document before: pictures begin to load, and their error
 * handlers to run, as soon as they belong to a page.
 */

interface Options {
  /** Elements to remove besides scripts, frames and others that are always removed. */
  forbid?: readonly string[];
  /** Attributes to keep besides the usual ones. */
  keep?: readonly string[];
}

/**
 * Addresses that DOMPurify allows, and those of calls and calendars, which the server keeps as
 * well.
 */
const addresses =
  /^(?:(?:(?:f|ht)tps?|webcal|mailto|tel|callto|sip|sms|cid|xmpp|matrix):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;

function configOf({ forbid = [], keep = [] }: Options): Config {
  return {
    USE_PROFILES: { html: true },
    FORBID_TAGS: [...forbid],
    ADD_ATTR: [...keep],
    ALLOWED_URI_REGEXP: addresses,
    FORCE_BODY: true,
  };
}

/** HTML without scripts, handlers and frames. */
export function sanitizeHtml(html: string, options: Options = {}): string {
  return DOMPurify.sanitize(html, configOf(options));
}

/**
 * The HTML as a separate document that loads nothing and runs nothing. Its body is sanitised. Its
 * head stays as it is, since the style sheet and the marks of the program that wrote it are there.
 */
export function parseSanitized(html: string, options: Options = {}): Document {
  const page = new DOMParser().parseFromString(html, 'text/html');
  DOMPurify.sanitize(page.body, { ...configOf(options), IN_PLACE: true });
  return page;
}
