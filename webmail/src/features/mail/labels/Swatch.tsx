import type { LabelColour } from '@selvage/core/contracts/labels';
import { makeStyles } from '@fluentui/react-components';
import { swatchOf } from './label-colours.ts';

const useStyles = makeStyles({
  root: {
    flexShrink: 0,
    boxSizing: 'border-box',
    width: '14px',
    height: '14px',
    borderRadius: '4px',
  },
});

/** The colour of a label. */
export function Swatch({ colour }: { colour: LabelColour }) {
  const styles = useStyles();
  return <span className={styles.root} style={swatchOf(colour)} aria-hidden />;
}
