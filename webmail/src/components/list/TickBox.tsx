import { makeStyles, tokens } from '@fluentui/react-components';
import { type MouseEvent, useEffect, useRef } from 'react';
import { focusRing } from '../../theme/styles.ts';

const useStyles = makeStyles({
  box: {
    // The finger's target is the label, larger than the box
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
    appearance: 'none',
    display: 'grid',
    placeContent: 'center',
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: '3px',
    backgroundColor: 'transparent',
    cursor: 'pointer',
    '::before': { content: '""', width: '10px', height: '10px', backgroundColor: tokens.colorNeutralForegroundOnBrand },
    ':not(:checked):not(:indeterminate)::before': { visibility: 'hidden' },
    ':checked::before': { clipPath: 'polygon(12% 46%, 0 60%, 40% 96%, 100% 22%, 88% 8%, 38% 70%)' },
    ':indeterminate::before': { clipPath: 'inset(42% 6%)' },
    ':checked': { backgroundColor: tokens.colorBrandBackground, border: `1px solid ${tokens.colorBrandBackground}` },
    ':indeterminate': {
      backgroundColor: tokens.colorBrandBackground,
      border: `1px solid ${tokens.colorBrandBackground}`,
    },
    // With the system's own colours, the browser's own box
    '@media (forced-colors: active)': { appearance: 'auto' },
    ...focusRing,
  },
});

interface Props {
  label: string;
  isTicked: boolean | 'mixed';
  onTick: (isTicked: boolean, isRange: boolean) => void;
}

/**
 * A tick of a list's row: the browser's own, since a page may hold eighty. Shift makes it a range.
 */
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
        // With shift the browser would select the text between the rows
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
