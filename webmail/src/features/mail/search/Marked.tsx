import type { MarkDto } from '@selvage/core/contracts/search';
import { makeStyles, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  mark: {
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    borderRadius: '2px',
  },
});

/** A text with its search hits marked. */
export function Marked({ text, marks }: { text: string; marks: readonly MarkDto[] }) {
  const styles = useStyles();
  const ends = [0, ...marks.map(([, end]) => end)];
  return (
    <>
      {marks.map(([start, end], index) => (
        <span key={start}>
          {text.slice(ends[index], start)}
          <mark className={styles.mark}>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
