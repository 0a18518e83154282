import { NEAR_LIMIT } from '../lib/limits.ts';
import { useWords } from '../lib/i18n.ts';
import { limitWords } from '../words/limits.ts';
import { StateWord } from './StateWord.tsx';
import { UseBar } from './UseBar.tsx';

interface Props {
  use: { used: number; limit: number | null };
  /** How an amount is written. */
  show: (amount: number) => string;
}

/** What is used of a limit, and whether it is near. */
export function LimitUse({ use: { used, limit }, show }: Props) {
  const t = useWords(limitWords);
  if (limit === null) return t.unlimited({ used: show(used) });
  return (
    <UseBar used={used} limit={limit}>
      <span>{t.ofLimit({ used: show(used), limit: show(limit) })}</span>
      {used >= limit ? (
        <StateWord kind="bad">{t.reached}</StateWord>
      ) : (
        used / limit >= NEAR_LIMIT && <StateWord kind="waiting">{t.near}</StateWord>
      )}
    </UseBar>
  );
}
