import { QUOTE_ID } from '../../../components/editor/editor-html.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { quoteWords } from '../../../words/compose.ts';
import { carriedFiles, type Composition } from './composition.ts';
import { plainOf } from './plain-text.ts';
import { SIGNATURE_ID } from './signature.ts';

/** Words that announce a file, in the languages that are common among our readers. */
const announcing = [
  'attached',
  'attachments?',
  'attaching',
  'enclosed',
  'enclosures?',
  'anhang',
  'anhänge',
  'angehängt\\p{L}*',
  'anbei',
  'beigefügt\\p{L}*',
  'beiliegend\\p{L}*',
  'ci-joint\\p{L}*',
  'pièces? jointes?',
  'adjunt[oa]s?',
  'allegat[oi]',
  'bijlagen?',
  'bijgevoegd\\p{L}*',
];
/** The same in Japanese, Chinese and Korean, where no spaces separate words. */
const unspaced = ['添付', '附件', '첨부'];
const announced = new RegExp(`(?<!\\p{L})(?:${announcing.join('|')})(?!\\p{L})|${unspaced.join('|')}`, 'iu');

type Written = Pick<Composition, 'html' | 'isPlain' | 'origin' | 'dropped' | 'files' | 'subject'>;

/** Whether the person speaks of a file and there is none. What is quoted does not count. */
export function hasForgottenFiles(composition: Written): boolean {
  if (composition.files.length > 0 || carriedFiles(composition).length > 0) return false;
  return announced.test(composition.isPlain ? newPlainText(composition.html) : newText(composition.html));
}

function newPlainText(html: string): string {
  const [text = ''] = (plainOf(html) ?? '').split(wordsOf(quoteWords).forwarded);
  return text.replace(/^>.*$/gm, '');
}

/** What the person wrote themselves: the text above the quote, without the signature. */
function newText(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  page.getElementById(SIGNATURE_ID)?.remove();
  const quote = page.getElementById(QUOTE_ID);
  if (quote) {
    const rest = page.createRange();
    rest.setStartBefore(quote);
    rest.setEndAfter(page.body);
    rest.deleteContents();
  }
  for (const element of page.querySelectorAll('blockquote')) element.remove();
  // Words of two lines must not run together
  for (const element of page.querySelectorAll('div, p, li, br, td')) element.append(' ');
  for (const line of page.querySelectorAll('br')) line.replaceWith(' ');
  // The draft of a forward no longer has the mark of its quote, only the line above it
  return (page.body.textContent ?? '').split(wordsOf(quoteWords).forwarded)[0] ?? '';
}
