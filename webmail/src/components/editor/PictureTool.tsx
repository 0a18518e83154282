import { makeStyles } from '@fluentui/react-components';
import { ImageAddRegular } from '@fluentui/react-icons/svg/image-add';
import { useRef } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { editorWords } from '../../words/editor.ts';
import { IconButton } from '../IconButton.tsx';
import { textPictureTypes } from './read-picture.ts';

const useStyles = makeStyles({ hidden: { display: 'none' } });

/** A button that lets the person choose pictures for the text. */
export function PictureTool({ onFiles }: { onFiles: (files: File[]) => void }) {
  const styles = useStyles();
  const t = useWords(editorWords);
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label={t.insertPicture}
        size="small"
        icon={<ImageAddRegular />}
        onClick={() => inputRef.current?.click()}
      />
      <input
        ref={inputRef}
        className={styles.hidden}
        type="file"
        multiple
        hidden
        accept={textPictureTypes.join()}
        aria-label={t.pictureFile}
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // the same picture may be chosen again after it was taken out
          event.target.value = '';
        }}
      />
    </>
  );
}
