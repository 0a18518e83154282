import { useRef } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import { readPicture, textPictureTypes } from '../../../components/editor/read-picture.ts';
import { notify } from '../../../components/feedback/notify.ts';
import { fileSize } from '../../../lib/format.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { signatureWords } from '../../../words/signatures.ts';

/** A picture grows by a third as text, and the whole signature may have 200 KB. */
const MAX_PICTURE = 140_000;

interface Props {
  initialHtml: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  onReady: (handle: EditorHandle) => void;
  onChange: () => void;
}

/** The editor of messages, in which pictures become part of the text. */
export function SignatureEditor({ initialHtml, describedBy, isInvalid, onReady, onChange }: Props) {
  const t = useWords(signatureWords);
  const editor = useRef<EditorHandle | null>(null);
  const insert = async (file: File): Promise<void> => {
    const problem = pictureProblem(file);
    const source = problem === null ? await readPicture(file) : null;
    if (source !== null) editor.current?.insertPicture(source, file.name);
    else notify.failure(problem ?? wordsOf(signatureWords).pictureUnread({ name: file.name }));
  };
  return (
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
      onFiles={(files) => files.forEach((file) => void insert(file))}
    />
  );
}

function pictureProblem({ name, size, type }: File): string | null {
  const t = wordsOf(signatureWords);
  if (!textPictureTypes.includes(type)) return t.pictureType({ name });
  return size > MAX_PICTURE ? t.pictureSize({ name, size: fileSize(MAX_PICTURE) }) : null;
}
