import { StateWord } from '../../../components/StateWord.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { dnsCheckWords } from '../../../words/dns-check.ts';

/** The state of one part in a word. */
export function PartState({ part: { found, valid } }: { part: { found: boolean; valid: boolean } }) {
  const t = useWords(dnsCheckWords);
  if (valid) return <StateWord kind="good">{t.good}</StateWord>;
  return <StateWord kind="bad">{found ? t.bad : t.missing}</StateWord>;
}
