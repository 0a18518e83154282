import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { heights, own } from '../../theme/own-tokens.ts';
import { selvageLine } from '../../theme/styles.ts';
import { contrastOf } from '../contrast.ts';
import { Specimen } from '../Specimen.tsx';

const useStyles = makeStyles({
  swatch: {
    display: 'flex',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    width: '300px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    boxSizing: 'border-box',
  },
  figure: { fontVariantNumeric: 'tabular-nums' },
  block: { width: '120px', height: '56px', borderRadius: tokens.borderRadiusMedium },
  line: { ...selvageLine, width: '100%' },
  bar: {
    width: '100%',
    paddingLeft: tokens.spacingHorizontalM,
    backgroundColor: tokens.colorNeutralBackground2,
    boxSizing: 'border-box',
    display: 'flex',
    alignItems: 'center',
  },
});

const texts = [
  ['Text', tokens.colorNeutralForeground1, tokens.colorNeutralBackground1],
  ['Text on the table', tokens.colorNeutralForeground1, tokens.colorNeutralBackground2],
  ['Second', tokens.colorNeutralForeground2, tokens.colorNeutralBackground1],
  ['Second on the table', tokens.colorNeutralForeground2, tokens.colorNeutralBackground2],
  ['Third', tokens.colorNeutralForeground3, tokens.colorNeutralBackground1],
  ['Third on the table', tokens.colorNeutralForeground3, tokens.colorNeutralBackground2],
  ['Third under the pointer', tokens.colorNeutralForeground3, tokens.colorNeutralBackground1Hover],
  ['Third, chosen', tokens.colorNeutralForeground3, tokens.colorBrandBackground2],
  ['Link', tokens.colorBrandForegroundLink, tokens.colorNeutralBackground1],
  ['Link on the table', tokens.colorBrandForegroundLink, tokens.colorNeutralBackground2],
  ['Primary button', tokens.colorNeutralForegroundOnBrand, tokens.colorBrandBackground],
  ['Primary, pointed at', tokens.colorNeutralForegroundOnBrand, tokens.colorBrandBackgroundHover],
  ['Chosen', tokens.colorNeutralForeground1, tokens.colorBrandBackground2],
  ['Good', own.stateGood, tokens.colorNeutralBackground1],
  ['Good on its paper', own.stateGood, own.stateGoodPaper],
  ['Waiting', own.stateWaiting, tokens.colorNeutralBackground1],
  ['Waiting on its paper', own.stateWaiting, own.stateWaitingPaper],
  ['Bad', own.stateBad, tokens.colorNeutralBackground1],
  ['Bad on its paper', own.stateBad, own.stateBadPaper],
  ['Bad, chosen', own.stateBad, tokens.colorBrandBackground2],
  ['Held', own.stateHeld, tokens.colorNeutralBackground1],
  ['Held on its paper', own.stateHeld, own.stateHeldPaper],
  ['Danger button', tokens.colorNeutralBackground1, own.stateBad],
  ['What I wrote', tokens.colorNeutralForeground1, own.ownWords],
] as const;

/** The lowest contrast of text with its background (WCAG 2.2, 1.4.3). */
const LEAST = 4.5;

/** Calls `listener` when the theme changes, since the page may follow the system's. */
function followTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

function Swatch({ name, colour, paper }: { name: string; colour: string; paper: string }) {
  const styles = useStyles();
  const ref = useRef<HTMLDivElement>(null);
  const theme = useSyncExternalStore(followTheme, () => document.documentElement.dataset['theme']);
  const [contrast, setContrast] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    const style = getComputedStyle(ref.current);
    setContrast(contrastOf(style.color, style.backgroundColor));
  }, [theme]);
  return (
    <div
      ref={ref}
      className={styles.swatch}
      style={{ color: colour, backgroundColor: paper }}
      data-fails={contrast < LEAST || undefined}
    >
      <span>{name}</span>
      <span className={styles.figure}>{contrast.toFixed(1)} : 1</span>
    </div>
  );
}

const blocks = [
  ['Table', tokens.colorNeutralBackground2],
  ['Sheet', tokens.colorNeutralBackground1],
  ['Pointed at', tokens.colorNeutralBackground1Hover],
  ['Chosen', tokens.colorBrandBackground2],
  ['Accent', tokens.colorBrandBackground],
  ['Series 1', own.series1],
  ['Series 2', own.series2],
  ['Star', own.star],
  ['Weft', own.weft],
  ['Warp', own.warp],
  ['Hairline', tokens.colorNeutralStroke2],
  ['Outline', tokens.colorNeutralStroke1],
] as const;

export function Colours() {
  const styles = useStyles();
  return (
    <>
      <Specimen title="Text and what it stands on, with their contrast (at least 4.5 : 1)">
        {texts.map(([name, colour, paper]) => (
          <Swatch key={name} name={name} colour={colour} paper={paper} />
        ))}
      </Specimen>
      <Specimen title="Surfaces, lines and series">
        {blocks.map(([name, colour]) => (
          <span key={name}>
            <span
              className={mergeClasses(styles.block)}
              style={{ display: 'block', backgroundColor: colour, border: `1px solid ${tokens.colorNeutralStroke2}` }}
            />
            {name}
          </span>
        ))}
      </Specimen>
      <Specimen title="The selvage">
        <div className={styles.line} />
      </Specimen>
      <Specimen title="Heights of the chosen density" shape="column">
        <div className={styles.bar} style={{ height: heights.mailRow }}>
          A row of mail
        </div>
        <div className={styles.bar} style={{ height: heights.tableRow }}>
          A row of a table
        </div>
        <div className={styles.bar} style={{ height: heights.control }}>
          A control
        </div>
      </Specimen>
    </>
  );
}
