import {
  Button,
  makeStyles,
  Menu,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '@fluentui/react-components';
import { SignatureRegular } from '@fluentui/react-icons/svg/signature';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-error.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import type { ChosenSignature } from './use-signature.ts';

const NONE = '';

const useStyles = makeStyles({
  list: { maxHeight: 'min(360px, 50dvh)', maxWidth: '280px', overflowY: 'auto', overflowWrap: 'anywhere' },
});

interface Props {
  chosen: ChosenSignature | null;
  isDisabled: boolean;
  onChoose: (signature: ChosenSignature | null) => void;
}

/** Which signature the message goes out with. */
export function SignatureMenu({ chosen, isDisabled, onChoose }: Props) {
  const styles = useStyles();
  const [isOpen, setOpen] = useState(false);
  const { data: signatures, error } = useQuery({ ...signaturesQuery, enabled: isOpen });
  return (
    <Menu
      open={isOpen}
      onOpenChange={(_event, data) => setOpen(data.open)}
      checkedValues={{ signature: [chosen?._id ?? NONE] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const [id] = checkedItems;
        onChoose(signatures?.find((signature) => signature._id === id) ?? null);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          appearance="subtle"
          icon={<SignatureRegular />}
          disabled={isDisabled}
          aria-label="Signature"
          data-tip="Signature"
        />
      </MenuTrigger>
      <MenuPopover>
        <MenuList aria-label="Signature" className={styles.list}>
          <MenuItemRadio name="signature" value={NONE}>
            No signature
          </MenuItemRadio>
          {signatures?.map((signature) => (
            <MenuItemRadio key={signature._id} name="signature" value={signature._id}>
              {signature.signature_name}
            </MenuItemRadio>
          ))}
          {!signatures && <MenuItem disabled>{error ? messageOf(error) : 'Loading'}</MenuItem>}
          {signatures?.length === 0 && <MenuItem disabled>You can make signatures in the account settings</MenuItem>}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
