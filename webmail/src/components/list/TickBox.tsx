import { makeStyles, tokens } from '@fluentui/react-components';
import { type MouseEvent, useEffect, useRef } from 'react';
import { focusRing } from '../../theme/styles.ts';

const useStyles = makeStyles({
  box: {
    // the finger's target is the label, larger than the box
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '32px',
    height: '32px',
    flexShrink: 0,
    cursor: 'pointer',
  },
  input: {
    width: '16px',
    height: '16px',
    margin: 0,
    accentColor: tokens.colorBrandBackground,
    cursor: 'pointer',
    ...focusRing,
  },
});

interface Props {
  label: string;
  isTicked: boolean | 'mixed';
  onTick: (isTicked: boolean, isRange: boolean) => void;
}

/** A tick of a list's row: the browser's own, since a page may hold two hundred. Shift makes it a range. */
export function TickBox({ label, isTicked, onTick }: Props) {
  const styles = useStyles();
  const ref = useRef<HTMLInputElement>(null);
  const hasShift = useRef(false);
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = isTicked === 'mixed';
  }, [isTicked]);
  return (
    <label
      className={styles.box}
      onMouseDown={(event: MouseEvent) => {
        hasShift.current = event.shiftKey;
        // with shift the browser would select the text between the rows
        if (event.shiftKey) event.preventDefault();
      }}
    >
      <input
        ref={ref}
        type="checkbox"
        className={styles.input}
        aria-label={label}
        checked={isTicked === true}
        onKeyDown={(event) => {
          hasShift.current = event.shiftKey;
        }}
        onChange={(event) => onTick(event.target.checked, hasShift.current)}
      />
    </label>
  );
}
