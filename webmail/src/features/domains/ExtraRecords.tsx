import type { SetupExtra, SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useId } from 'react';
import { Section } from '../../components/page/Section.tsx';
import { useWords } from '../../lib/i18n.ts';
import { setupGuideWords } from '../../words/setup-guide.ts';
import { RecordLines } from './RecordLines.tsx';
import { StepState } from './StepState.tsx';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', gap: tokens.spacingVerticalXXL },
  record: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: tokens.spacingHorizontalM },
  words: { flex: '1 1 240px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: '2px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { maxWidth: '80ch', color: tokens.colorNeutralForeground2 },
});

/** The records that are recommended beyond the steps. */
export function ExtraRecords({ domain, extras }: Pick<SetupGuideDto, 'domain' | 'extras'>) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  return (
    <Section title={t.extras} hint={t.extrasHint}>
      <ul className={styles.list}>
        {extras.map((extra) => (
          <Extra key={extra.name} domain={domain} extra={extra} />
        ))}
      </ul>
    </Section>
  );
}

interface ExtraProps {
  domain: string;
  extra: SetupExtra;
}

function Extra({ domain, extra: { name, state, record, details } }: ExtraProps) {
  const styles = useStyles();
  const t = useWords(setupGuideWords);
  const id = useId();
  return (
    <li className={styles.record} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h3 id={id} className={styles.title}>
            {t[name]}
          </h3>
          <span className={styles.hint}>{t[`${name}Text`]}</span>
        </div>
        <StepState state={state} record={record} />
      </div>
      <span>{details}</span>
      <RecordLines domain={domain} type={record.type} name={record.name} content={record.content} />
    </li>
  );
}
