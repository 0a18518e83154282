import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import type { ReactNode } from 'react';
import { heights } from '../../theme/own-tokens.ts';
import { focusRing } from '../../theme/styles.ts';

const useStyles = makeStyles({
  root: { position: 'relative', display: 'inline-flex', minWidth: 0 },
  select: {
    appearance: 'none',
    width: '100%',
    height: heights.control,
    boxSizing: 'border-box',
    padding: `0 28px 0 ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    textOverflow: 'ellipsis',
    cursor: 'pointer',
    ':hover': { border: `1px solid ${tokens.colorNeutralStroke1Hover}` },
    ...focusRing,
  },
  small: { height: '24px', padding: `0 24px 0 ${tokens.spacingHorizontalS}`, fontSize: tokens.fontSizeBase200 },
  arrow: {
    position: 'absolute',
    right: tokens.spacingHorizontalS,
    top: 'calc(50% - 6px)',
    fontSize: '12px',
    color: tokens.colorNeutralForeground3,
    pointerEvents: 'none',
  },
});

interface Props {
  label: string;
  value: string | number;
  onChange: (value: string) => void;
  isSmall?: boolean;
  className?: string;
  /** Its options. */
  children: ReactNode;
}

/** One of several, outside of a form: the browser's own select in the dress of the interface. */
export function PlainSelect({ label, value, onChange, isSmall = false, className, children }: Props) {
  const styles = useStyles();
  return (
    <span className={mergeClasses(styles.root, className)}>
      <select
        className={mergeClasses(styles.select, isSmall && styles.small)}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
      <ChevronDownRegular className={styles.arrow} aria-hidden />
    </span>
  );
}
