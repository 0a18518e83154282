import { createSignature } from '@selvage/core/contracts/signatures';
import {
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
import { IconButton } from '../../../components/IconButton.tsx';
import { messageOf } from '../../../lib/api-error.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import { composeWords } from '../../../words/compose.ts';
import type { ChosenSignature } from './composition.ts';

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
  const t = useWords(composeWords);
  const mayMake = can(useCurrentUser(), createSignature);
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
        <IconButton label={t.signature} icon={<SignatureRegular />} disabled={isDisabled} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList aria-label={t.signature} className={styles.list}>
          <MenuItemRadio name="signature" value={NONE}>
            {t.noSignature}
          </MenuItemRadio>
          {signatures?.map((signature) => (
            <MenuItemRadio key={signature._id} name="signature" value={signature._id}>
              {signature.signature_name}
            </MenuItemRadio>
          ))}
          {!signatures && <MenuItem disabled>{error ? messageOf(error) : t.loading}</MenuItem>}
          {signatures?.length === 0 && mayMake && <MenuItem disabled>{t.noSignatures}</MenuItem>}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
