import { Button, type ButtonProps } from '@fluentui/react-components';
import type { Ref } from 'react';

type Props = Omit<ButtonProps, 'aria-label' | 'title' | 'children'> & {
  /** Its name for screen readers. */
  label: string;
  /** What the tip says, where the name alone would be too long. */
  tip?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows only a picture and still has a name. */
export function IconButton({ label, tip = label, appearance = 'subtle', ...rest }: Props) {
  return <Button appearance={appearance} aria-label={label} data-tip={tip} {...(rest as ButtonProps)} />;
}
