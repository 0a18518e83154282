import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { createPortal } from 'react-dom';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { recordsOfExtras, recordsOfSteps, type TitledRecord } from './guide-records.ts';

/** On paper the sheet is all there is: no navigation, no buttons, no panes that scroll. */
const sheetAlone = `@media print {
  html, body { height: auto; background: none; }
  :root[data-theme] { color-scheme: light; }
  body > :not([data-sheet]) { display: none; }
}`;

const useStyles = makeStyles({
  root: {
    display: 'none',
    '@media print': { display: 'block' },
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    color: tokens.colorNeutralForeground1,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
  heading: { margin: `${tokens.spacingVerticalXL} 0 0`, fontSize: tokens.fontSizeBase400 },
  record: { breakInside: 'avoid', marginTop: tokens.spacingVerticalL },
  name: { margin: `0 0 ${tokens.spacingVerticalXS}`, fontSize: tokens.fontSizeBase300 },
  lines: { display: 'grid', gridTemplateColumns: '110px minmax(0, 1fr)', rowGap: '2px', margin: 0 },
  value: { margin: 0, fontFamily: tokens.fontFamilyMonospace, overflowWrap: 'anywhere' },
});

/** All records of the guide on paper, one below the other; it is not seen on the screen. */
export function PrintedRecords({ guide }: { guide: SetupGuideDto }) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  return createPortal(
    // What is printed is dark on white in both looks
    <div data-sheet className={mergeClasses('paper', styles.root)}>
      <style>{sheetAlone}</style>
      <h1 className={styles.title}>{t.sheetTitle({ domain: shownAddress(guide.domain) })}</h1>
      {recordsOfSteps(guide).map((record) => (
        <PrintedRecord key={record.record.name + record.title} {...record} />
      ))}
      <h2 className={styles.heading}>{t.extras}</h2>
      {recordsOfExtras(guide).map((record) => (
        <PrintedRecord key={record.record.name} {...record} />
      ))}
    </div>,
    document.body,
  );
}

function PrintedRecord({ title, state, record, hint }: TitledRecord) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  const words = useWords(dnsRecordWords);
  return (
    <section className={styles.record}>
      <h3 className={styles.name}>
        {title} ({state === 'waiting' ? t.toAdd : t[state]})
      </h3>
      <dl className={styles.lines}>
        <dt>{words.recordName}</dt>
        <dd className={styles.value}>{record.name}</dd>
        <dt>{words.type}</dt>
        <dd className={styles.value}>{record.type}</dd>
        <dt>{words.value}</dt>
        <dd className={styles.value}>{record.content}</dd>
      </dl>
      {hint}
    </section>
  );
}
