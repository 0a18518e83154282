import { StateWord } from '../../components/StateWord.tsx';
import { UseBar } from '../../components/UseBar.tsx';
import { fileSize } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { NEAR_LIMIT } from '../../lib/limits.ts';
import { morningWords } from '../../words/morning.ts';

/** How much of a disk is left. */
export function DiskUse({ disk: { free, total } }: { disk: { free: number; total: number } }) {
  const t = useWords(morningWords);
  const used = total - free;
  return (
    <UseBar used={used} limit={total}>
      <span>{t.free({ free: fileSize(free), total: fileSize(total) })}</span>
      {used / total >= NEAR_LIMIT && <StateWord kind="bad">{t.diskLow}</StateWord>}
    </UseBar>
  );
}
