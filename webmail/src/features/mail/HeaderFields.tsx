import { makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { headerFieldWords, unknownFieldWords } from '../../words/header-fields.ts';
import { fieldsOf } from './header-fields.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  field: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 260px), 1fr))',
    columnGap: tokens.spacingHorizontalL,
    padding: `${tokens.spacingVerticalXS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  source: {
    margin: 0,
    minWidth: 0,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  meaning: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/** The header of a message as it came, with an explanation beside each known field. */
export function HeaderFields({ header }: { header: string }) {
  const styles = useStyles();
  const explain = useExplain();
  const { fields, rest } = fieldsOf(header);
  return (
    <>
      <ul className={styles.list}>
        {fields.map(({ text, name, isFirst }, index) => (
          // A field has no other key than its position
          <li key={index} className={styles.field}>
            <pre className={styles.source}>{text}</pre>
            {isFirst && <span className={styles.meaning}>{explain(name)}</span>}
          </li>
        ))}
      </ul>
      {rest !== '' && <pre className={styles.source}>{rest}</pre>}
    </>
  );
}

function useExplain(): (name: string) => string {
  const known = useWords(headerFieldWords) as Partial<Record<string, string>>;
  const { own } = useWords(unknownFieldWords);
  return (name) => (Object.hasOwn(known, name) && known[name]) || (name.startsWith('x-') ? own : '');
}
