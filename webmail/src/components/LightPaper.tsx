import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  root: { backgroundColor: tokens.colorNeutralBackground1, color: tokens.colorNeutralForeground1 },
});

interface Props {
  className?: string;
  children: ReactNode;
}

/**
 * White paper in both themes, for things that were drawn or written for it: mail and captcha
 * pictures.
 */
export function LightPaper({ className, children }: Props) {
  return <div className={mergeClasses('paper', useStyles().root, className)}>{children}</div>;
}
