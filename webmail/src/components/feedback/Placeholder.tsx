import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { CSSProperties, ReactNode } from 'react';
import { onLessMotion } from '../../theme/styles.ts';

const useStyles = makeStyles({
  bar: {
    display: 'block',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralStencil1,
    animationName: { from: { opacity: 1 }, '50%': { opacity: 0.45 }, to: { opacity: 1 } },
    animationDuration: '1.6s',
    animationIterationCount: 'infinite',
    [onLessMotion]: { animationName: 'none' },
  },
});

interface BarProps {
  height: number;
  width?: string;
  className?: string;
}

/** One grey bar where something is about to be. */
export function Bar({ height, width = '100%', className }: BarProps) {
  const size: CSSProperties = { height: `${height}px`, width };
  return <span className={mergeClasses(useStyles().bar, className)} style={size} />;
}

/** Says to screen readers what the bars say to the eye. */
export function Placeholder({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="progressbar" aria-busy aria-label={label} {...(className ? { className } : {})}>
      {children}
    </div>
  );
}
