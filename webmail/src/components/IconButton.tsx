import { Button, type ButtonProps, Tooltip } from '@fluentui/react-components';
import type { Ref } from 'react';

type Props = Omit<ButtonProps, 'aria-label' | 'title' | 'children'> & {
  /** Name for tooltip and screen reader. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows only a picture and still has a name. */
export function IconButton({ label, appearance = 'subtle', ...rest }: Props) {
  return (
    <Tooltip content={label} relationship="label" withArrow={false}>
      <Button appearance={appearance} {...(rest as ButtonProps)} />
    </Tooltip>
  );
}
