import { Button, type ButtonProps } from '@fluentui/react-components';
import type { Ref } from 'react';

type Props = Omit<ButtonProps, 'aria-label' | 'title' | 'children'> & {
  /** Name for tooltip and screen reader. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows only a picture and still has a name. */
export function IconButton({ label, appearance = 'subtle', ...rest }: Props) {
  return <Button appearance={appearance} aria-label={label} data-tip={label} {...(rest as ButtonProps)} />;
}
