import { Button, Field, Input, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { useEffect, useId, useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import type { EditorHandle } from '../../../components/editor/Editor.tsx';
import { fieldProblem } from '../../../components/form/field-problem.ts';
import { notify } from '../../../components/feedback/notify.ts';
import { VisuallyHidden } from '../../../components/VisuallyHidden.tsx';
import type { SignatureEntry } from './entries.ts';
import { SignatureEditor } from './SignatureEditor.tsx';
import { dropUnsaved } from './unsaved.ts';
import { useRemoveSignature } from './use-save-signature.ts';
import { useSignatureForm } from './use-signature-form.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  editor: { display: 'flex', flexDirection: 'column', minHeight: '300px' },
  problem: { color: tokens.colorPaletteRedForeground1 },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  space: { flexGrow: 1 },
});

const FOCUS_AFTER_MS = 60;

interface Props {
  entry: SignatureEntry;
  others: SignatureEntry[];
  /** Where to put the focus when it appears. */
  focusOn: 'text' | 'name' | null;
  /** A new one is saved and has an id now. */
  onCreated: (id: string) => void;
  onRemoved: () => void;
}

/** One signature: its name and what it says. */
export function SignaturePane({ entry, others, focusOn, onCreated, onRemoved }: Props) {
  const styles = useStyles();
  const problemId = useId();
  const nameRef = useRef<HTMLInputElement>(null);
  const form = useSignatureForm(entry, others, onCreated);
  const [question, setQuestion] = useState<'delete' | 'discard' | null>(null);
  const handleEditor = (handle: EditorHandle): void => {
    form.handleEditor(handle);
    // after the dialog that was closed has given the focus back
    if (focusOn === 'text') setTimeout(() => handle.focus(), FOCUS_AFTER_MS);
  };
  useEffect(() => {
    if (focusOn === 'name') nameRef.current?.focus();
  }, [focusOn]);
  return (
    <div className={styles.root} role="group" aria-label={`Signature ${entry.name}`}>
      <Field label="Name" required {...fieldProblem(form.problems.name)}>
        <Input
          input={{ ref: nameRef }}
          name="signature_name"
          value={entry.name}
          maxLength={100}
          autoComplete="off"
          onChange={(_event, { value }) => form.setName(value)}
        />
      </Field>
      <div className={styles.editor}>
        <SignatureEditor
          key={form.start.version}
          initialHtml={form.start.html}
          describedBy={form.problems.body ? problemId : undefined}
          isInvalid={form.problems.body !== undefined}
          onReady={handleEditor}
          onChange={form.handleChange}
        />
        {form.problems.body && (
          <Text id={problemId} size={200} className={styles.problem} role="alert">
            {form.problems.body}
          </Text>
        )}
      </div>
      <div className={styles.actions}>
        <Button
          appearance="primary"
          disabledFocusable={form.isSaving || !entry.unsaved}
          icon={form.isSaving ? <Spinner size="tiny" /> : undefined}
          onClick={form.save}
        >
          {form.isSaving ? 'Saving' : 'Save'}
        </Button>
        {entry.saved && entry.unsaved && (
          <Button disabled={form.isSaving} onClick={() => setQuestion('discard')}>
            Discard changes
          </Button>
        )}
        <span className={styles.space} />
        <Button appearance="subtle" disabled={form.isSaving} onClick={() => setQuestion('delete')}>
          Delete
        </Button>
      </div>
      <VisuallyHidden>
        <span role="status">{form.isSaving ? 'Saving the signature' : ''}</span>
      </VisuallyHidden>
      {question && (
        <Question
          kind={question}
          entry={entry}
          onDiscard={form.discard}
          onRemoved={onRemoved}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

interface QuestionProps {
  kind: 'delete' | 'discard';
  entry: SignatureEntry;
  onDiscard: () => void;
  onRemoved: () => void;
  onClose: () => void;
}

function Question({ kind, entry, onDiscard, onRemoved, onClose }: QuestionProps) {
  const removal = useRemoveSignature();
  const remove = async (): Promise<void> => {
    try {
      if (entry.saved) await removal.mutateAsync(entry.saved._id);
      dropUnsaved(entry.key);
      onRemoved();
      notify.success('Signature deleted');
    } catch {
      // the spec has one sentence for all reasons
      notify.error(new Error('Failed to delete signature'));
    }
  };
  if (kind === 'discard') {
    return (
      <ConfirmDialog
        title="Discard your changes?"
        text={`“${entry.saved?.signature_name ?? entry.name}” will be as it was saved.`}
        confirmLabel="Discard"
        cancelLabel="Cancel"
        onConfirm={onDiscard}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Delete this signature?"
      text={`“${entry.name}” will be gone. Messages that were sent with it keep it.`}
      confirmLabel="Delete"
      cancelLabel="Cancel"
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
