import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Fragment } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { useWords } from '../../lib/i18n.ts';
import { onPhone } from '../../theme/breakpoints.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { linesOfRecord } from './record-lines.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'max-content minmax(0, 1fr) max-content',
    alignItems: 'baseline',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    margin: 0,
    // The buttons stand near what they copy, and a proof takes one line
    maxWidth: '760px',
    [onPhone]: { gridTemplateColumns: 'minmax(0, 1fr) max-content' },
  },
  plain: {
    gridTemplateColumns: 'max-content minmax(0, 1fr)',
    [onPhone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  term: { color: tokens.colorNeutralForeground2, [onPhone]: { gridColumn: '1 / -1' } },
  value: {
    margin: 0,
    fontFamily: tokens.fontFamilyMonospace,
    overflowWrap: 'anywhere',
    userSelect: 'text',
  },
  copy: { margin: 0 },
});

interface Props {
  /** The domain that the record is for, in its ASCII form. */
  domain: string;
  /** TXT unless told. */
  type?: string;
  name: string;
  content: string;
  /** A record that another person keeps is only shown. */
  isToCopy?: boolean;
}

/** A record that a person adds to a DNS elsewhere: each part with a button that copies it. */
export function RecordLines({ domain, type = 'TXT', name, content, isToCopy = true }: Props) {
  const styles = useStyles();
  const t = useWords(dnsRecordWords);
  return (
    <dl className={mergeClasses(styles.list, !isToCopy && styles.plain)}>
      {linesOfRecord({ type, name, content }, domain).map(({ term, what, text }) => (
        <Fragment key={term}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value}>{text}</dd>
          {isToCopy && (
            <dd className={styles.copy}>
              <CopyButton name={what} text={text} said={t.copied} />
            </dd>
          )}
        </Fragment>
      ))}
    </dl>
  );
}
