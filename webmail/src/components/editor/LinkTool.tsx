import { Popover, PopoverSurface, PopoverTrigger } from '@fluentui/react-components';
import { LinkRegular } from '@fluentui/react-icons/svg/link';
import { useState } from 'react';
import { type IEditor, insertLink } from 'roosterjs';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { editorWords } from '../../words/editor.ts';
import { TextField } from '../form/fields.tsx';
import { Form } from '../form/Form.tsx';
import { SubmitButton } from '../form/SubmitButton.tsx';
import { IconButton } from '../IconButton.tsx';

/**
 * A button that asks for the address of a link, and puts it at the cursor or after the selected
 * text.
 */
export function LinkTool({ editor }: { editor: IEditor | null }) {
  const t = useWords(editorWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover open={isOpen} trapFocus onOpenChange={(_event, data) => setOpen(data.open)}>
      <PopoverTrigger disableButtonEnhancement>
        <IconButton label={t.insertLink} size="small" icon={<LinkRegular />} />
      </PopoverTrigger>
      <PopoverSurface aria-label={t.insertLink}>
        <LinkForm editor={editor} onDone={() => setOpen(false)} />
      </PopoverSurface>
    </Popover>
  );
}

function LinkForm({ editor, onDone }: { editor: IEditor | null; onDone: () => void }) {
  const t = useWords(editorWords);
  const form = useForm({
    start: { address: '' },
    check: ({ address }): Problems => (address.trim() ? {} : { address: t.linkRequired }),
    submit: ({ address }) => Promise.resolve(address.trim()),
    onDone: (address) => {
      onDone();
      editor?.focus();
      if (editor) insertLink(editor, address);
    },
  });
  return (
    <Form form={form} label={t.insertLink}>
      <TextField
        form={form}
        name="address"
        label={t.linkAddress}
        placeholder={t.linkExample}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SubmitButton label={t.insert} busyLabel={t.inserting} isBusy={form.isPending} />
    </Form>
  );
}
