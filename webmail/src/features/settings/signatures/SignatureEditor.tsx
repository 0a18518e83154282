import { makeStyles } from '@fluentui/react-components';
import { useRef } from 'react';
import { Editor, type EditorHandle } from '../../../components/editor/Editor.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { fileSize } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';

/** A picture grows by a third as text, and the whole signature may have 200 KB. */
const MAX_PICTURE = 140_000;
const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const useStyles = makeStyles({ hidden: { display: 'none' } });

interface Props {
  initialHtml: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  onReady: (handle: EditorHandle) => void;
  onChange: () => void;
}

/** The editor of messages, in which pictures become part of the text. */
export function SignatureEditor({ initialHtml, describedBy, isInvalid, onReady, onChange }: Props) {
  const styles = useStyles();
  const t = useWords(signatureWords);
  const inputRef = useRef<HTMLInputElement>(null);
  const editor = useRef<EditorHandle | null>(null);
  const insert = (files: File[]): void => {
    for (const file of files) {
      const problem = pictureProblem(file);
      if (problem) notify.failure(problem);
      else readPicture(file, (source) => editor.current?.insertPicture(source));
    }
  };
  return (
    <>
      <Editor
        label={t.text}
        initialHtml={initialHtml}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onReady={(handle) => {
          editor.current = handle;
          onReady(handle);
        }}
        onChange={onChange}
        onFiles={insert}
        onPicture={() => inputRef.current?.click()}
      />
      <input
        ref={inputRef}
        className={styles.hidden}
        type="file"
        accept={pictureTypes.join()}
        aria-label={t.pictureFile}
        tabIndex={-1}
        onChange={(event) => {
          insert([...(event.target.files ?? [])]);
          // the same picture may be chosen again after it was taken out
          event.target.value = '';
        }}
      />
    </>
  );
}

function pictureProblem({ name, size, type }: File): string | null {
  const t = wordsOf(signatureWords);
  if (!pictureTypes.includes(type)) return t.pictureType({ name });
  return size > MAX_PICTURE ? t.pictureSize({ name, size: fileSize(MAX_PICTURE) }) : null;
}

function readPicture(file: File, then: (source: string) => void): void {
  const reader = new FileReader();
  reader.addEventListener('load', () => typeof reader.result === 'string' && then(reader.result));
  reader.addEventListener('error', () => notify.failure(wordsOf(signatureWords).pictureUnread({ name: file.name })));
  reader.readAsDataURL(file);
}
