import type { ImportDto } from '@selvage/core/contracts/many-users';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import { useWords } from '../../lib/i18n.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { manyUserWords } from '../../words/many-users.ts';

const useStyles = makeStyles({
  scroll: {
    maxHeight: '280px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    ...focusRingInside,
  },
  table: { width: '100%', borderCollapse: 'collapse', overflowWrap: 'anywhere' },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    textAlign: 'start',
    verticalAlign: 'top',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  line: { width: '56px', fontVariantNumeric: 'tabular-nums' },
  column: { width: '30%' },
});

/** What is wrong with a file, by the lines of it. */
export function ImportProblems({ problems }: Pick<ImportDto, 'problems'>) {
  const styles = useStyles();
  const t = useWords(manyUserWords);
  const paneRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(paneRef);
  return (
    <div ref={paneRef} className={styles.scroll}>
      <table className={styles.table} aria-label={t.problems}>
        <thead>
          <tr>
            <th className={mergeClasses(styles.cell, styles.line)}>{t.line}</th>
            <th className={mergeClasses(styles.cell, styles.column)}>{t.column}</th>
            <th className={styles.cell}>{t.problem}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ line, column, message }) => (
            <tr key={`${line} ${column} ${message}`}>
              <td className={styles.cell}>{line}</td>
              <td className={styles.cell} dir="auto">
                {column}
              </td>
              <td className={styles.cell}>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
