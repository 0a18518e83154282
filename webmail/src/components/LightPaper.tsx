import { FluentProvider } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { lightTheme } from '../lib/theme.ts';

interface Props {
  className?: string;
  children: ReactNode;
}

/** White paper in both themes, for things that were drawn or written for it: mail and captcha pictures. */
export function LightPaper({ className, children }: Props) {
  return (
    <FluentProvider theme={lightTheme} {...(className ? { className } : {})}>
      {children}
    </FluentProvider>
  );
}
