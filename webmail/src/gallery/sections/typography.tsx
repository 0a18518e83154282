import { makeStyles, tokens } from '@fluentui/react-components';
import { oneLine } from '../../theme/styles.ts';
import { Specimen } from '../Specimen.tsx';

const useStyles = makeStyles({
  line: { display: 'flex', alignItems: 'baseline', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalL },
  name: { width: '140px', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  strong: { fontWeight: tokens.fontWeightSemibold },
  figures: { fontVariantNumeric: 'tabular-nums' },
  measure: { maxWidth: '80ch', margin: 0 },
  narrow: { width: '220px', ...oneLine },
});

const sizes = [
  ['28 / 600', tokens.fontSizeHero700, tokens.lineHeightHero700],
  ['20 / 600', tokens.fontSizeBase500, tokens.lineHeightBase500],
  ['16 / 600', tokens.fontSizeBase400, tokens.lineHeightBase400],
  ['14, the text', tokens.fontSizeBase300, tokens.lineHeightBase300],
  ['12, beside it', tokens.fontSizeBase200, tokens.lineHeightBase200],
] as const;

const text =
  'The second shipment left Tuticorin on Monday and should arrive within nine days. Please confirm the count, the ply and the lustre before we book the warehouse; the dyer waits for your word.';

export function Typography() {
  const styles = useStyles();
  return (
    <>
      <Specimen title="Sizes" shape="screen">
        {sizes.map(([name, fontSize, lineHeight]) => (
          <div key={name} className={styles.line} style={{ padding: '8px 16px' }}>
            <span className={styles.name}>{name}</span>
            <span className={/600/.test(name) ? styles.strong : undefined} style={{ fontSize, lineHeight }}>
              Yarn, counted and sewn
            </span>
          </div>
        ))}
      </Specimen>
      <Specimen title="Running text, at most 80 characters a line">
        <p className={styles.measure}>{text}</p>
      </Specimen>
      <Specimen title="Other scripts">
        <span>Ελληνικά · Русский · हिन्दी · தமிழ் · 日本語 · 한국어</span>
        <span dir="auto">שלום מתל אביב</span>
      </Specimen>
      <Specimen title="One line, and figures below each other">
        <div className={styles.narrow}>{text}</div>
        <div className={styles.figures}>
          1,111.10
          <br />
          8,848.86
        </div>
      </Specimen>
    </>
  );
}
