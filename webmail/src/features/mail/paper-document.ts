import { bodyFont, cleanBody, documentOf, frameStyles, safeSheet, type Shown, textStyles } from './mail-frame.ts';

/** The lines at the top of the first sheet. */
const headStyles = `
body > header { margin-bottom: 16px; padding-bottom: 12px; border-bottom: 1px solid var(--hairline); color: var(--quiet); }
body > header > * { margin: 0; font-size: 13px; }
body > header > h1 { margin-bottom: 8px; font-size: 20px; color: var(--ink); }
`;

/**
 * For a conversation: the people of a message are printed on the same sheet as the beginning of its
 * text.
 */
const conversationStyles = `
section { margin-bottom: 24px; }
section > header { break-inside: avoid; break-after: avoid; margin-bottom: 8px; color: var(--quiet); font-size: 13px; }
section > header > p { margin: 0; }
section > header > p:first-child { color: var(--ink); font-weight: 600; }
section + section { padding-top: 12px; border-top: 1px solid var(--hairline); }
`;

/** A message can draw only in its own place, and inherits only its paper. */
const placeStyles = `mail-look { display: block; } mail-text { display: flow-root; overflow: clip; ${bodyFont}; color: var(--ink); overflow-wrap: anywhere; }`;

/**
 * A message on paper, below its subject and its people. Its text is in a shadow tree, so that the
 * sender's styles don't reach the lines above it. On paper nothing is folded away.
 */
export function paperDocument({ head: [subject = '', ...lines], ...shown }: Paper): string {
  const { origin } = shown;
  const body = `${headerOf([['h1', subject], ...inLines(lines)])}<div>${shadowOf(shown, true)}</div>`;
  return documentOf({ origin, look: 'simple', styles: [frameStyles, headStyles], body });
}

/** A message on paper, and the lines above it. */
interface Paper extends Shown {
  head: readonly string[];
}

interface Conversation {
  subject: string;
  /** The lines below the subject. */
  lines: readonly string[];
  origin: string;
  /** Whether quotes are printed. Most quotes repeat an earlier message of the conversation. */
  hasQuotes: boolean;
}

/**
 * Messages one after another as one document for `srcdoc`. The text of each is in its own shadow
 * tree, so that the styles of a sender reach neither another message nor the lines above it.
 */
export function conversationDocument(papers: readonly Paper[], conversation: Conversation): string {
  const { subject, lines, origin, hasQuotes } = conversation;
  const sections = papers.map(
    (paper) => `<section>${headerOf(inLines(paper.head))}<div>${shadowOf(paper, hasQuotes)}</div></section>`,
  );
  const body = [headerOf([['h1', subject], ...inLines(lines)]), ...sections];
  return documentOf({
    origin,
    look: 'simple',
    styles: [frameStyles, headStyles, conversationStyles],
    body: body.join(''),
  });
}

function shadowOf({ html, sheet, ...shown }: Shown, hasQuotes: boolean): string {
  const { look } = shown;
  const text = cleanBody(html, { ...shown, quotes: hasQuotes ? 'whole' : 'left out' });
  return [
    '<template shadowrootmode="open">',
    `<style>${textStyles}${placeStyles}</style><style>${bodyRulesOf(safeSheet(sheet))}</style>`,
    // Rules for `div` are the sender's own
    `<mail-look class="${look}"><mail-text dir="auto">${text}</mail-text></mail-look></template>`,
  ].join('');
}

const inLines = (lines: readonly string[]): [string, string][] => lines.map((line) => ['p', line]);

function headerOf(parts: readonly [tag: string, text: string][]): string {
  const page = document.implementation.createHTMLDocument();
  const head = page.createElement('header');
  for (const [tag, text] of parts) {
    const element = page.createElement(tag);
    element.textContent = text;
    head.append(element);
  }
  return head.outerHTML;
}

/** Rules for `body` apply to the element that replaces it in a shadow tree. */
function bodyRulesOf(sheet: string): string {
  return sheet.replaceAll(/(^|[\s,{}>+~])body(?=[\s,{.:#>+~[])/g, '$1mail-text');
}
