import { removeSignature } from '@selvage/core/contracts/signatures';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useEffect, useId, useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import { TextField } from '../../../components/form/fields.tsx';
import { Form } from '../../../components/form/Form.tsx';
import { SubmitButton } from '../../../components/form/SubmitButton.tsx';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { own } from '../../../theme/own-tokens.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { DeleteSignatureDialog } from './DeleteSignatureDialog.tsx';
import type { SignatureEntry } from './entries.ts';
import { SignatureEditor } from './SignatureEditor.tsx';
import { useSignatureForm } from './use-signature-form.ts';

const useStyles = makeStyles({
  form: { maxWidth: 'none', minWidth: 0, gap: tokens.spacingVerticalM },
  editor: { display: 'flex', flexDirection: 'column', minHeight: '300px' },
  problem: { color: own.stateBad },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  space: { flexGrow: 1 },
});

const FOCUS_AFTER_MS = 60;

interface Props {
  entry: SignatureEntry;
  others: SignatureEntry[];
  /** Where to put the focus when it appears. */
  focusOn: 'text' | 'name' | null;
  onRemoved: () => void;
}

/** One signature: its name and what it says. */
export function SignaturePane({ entry, others, focusOn, onRemoved }: Props) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  const { cancel: cancelLabel } = useWords(dialogWords);
  const problemId = useId();
  const user = useCurrentUser();
  const mayDelete = !entry.saved || can(user, removeSignature);
  const { form, start, handleEditor, handleChange, discard } = useSignatureForm(entry, others);
  const [question, setQuestion] = useState<'delete' | 'discard' | null>(null);
  const problem = form.problems['signature_body'];
  const isUnsaved = form.isDirty || !entry.saved;
  const handleReady = (handle: EditorHandle): void => {
    handleEditor(handle);
    // After the dialog that was closed has given the focus back
    if (focusOn === 'text') setTimeout(() => !isFocusInUse() && handle.focus(), FOCUS_AFTER_MS);
  };
  useEffect(() => {
    if (focusOn === 'name' && !isFocusInUse())
      form.formRef.current?.querySelector<HTMLElement>('[name="signature_name"]')?.focus();
  }, [focusOn, form.formRef]);
  return (
    <Form form={form} label={t.one({ name: entry.name })} className={styles.form}>
      <TextField form={form} name="signature_name" label={t.name} maxLength={100} isRequired />
      <div className={styles.editor}>
        <SignatureEditor
          key={start.version}
          initialHtml={start.html}
          describedBy={problem ? problemId : undefined}
          isInvalid={problem !== undefined}
          onReady={handleReady}
          onChange={handleChange}
        />
        {problem && (
          <Text id={problemId} size={200} className={styles.problem} role="alert">
            {problem}
          </Text>
        )}
      </div>
      <div className={styles.actions}>
        <SubmitButton label={t.save} busyLabel={t.saving} isBusy={form.isPending} isDisabled={!isUnsaved} />
        {entry.saved && isUnsaved && (
          <Button disabledFocusable={form.isPending} onClick={() => setQuestion('discard')}>
            {t.discard}
          </Button>
        )}
        <span className={styles.space} />
        {mayDelete && (
          <Button appearance="subtle" disabledFocusable={form.isPending} onClick={() => setQuestion('delete')}>
            {t.delete}
          </Button>
        )}
      </div>
      {question === 'discard' && (
        <ConfirmDialog
          title={t.discardTitle}
          text={t.discardText({ name: entry.saved?.signature_name ?? entry.name })}
          confirmLabel={t.discardConfirm}
          cancelLabel={cancelLabel}
          onConfirm={discard}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'delete' && (
        <DeleteSignatureDialog entry={entry} onRemoved={onRemoved} onClose={() => setQuestion(null)} />
      )}
    </Form>
  );
}

/** Whether the person is typing elsewhere by then, or is being asked a question. */
function isFocusInUse(): boolean {
  return document.activeElement?.closest('input, textarea, [contenteditable], [role=alertdialog]') != null;
}
