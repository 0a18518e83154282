import { ImageAddRegular } from '@fluentui/react-icons/svg/image-add';
import { useWords } from '../../lib/i18n.ts';
import { editorWords } from '../../words/editor.ts';
import { FileChoice } from '../FileChoice.tsx';
import { IconButton } from '../IconButton.tsx';
import { textPictureTypes } from './read-picture.ts';

/** A button that lets the person choose pictures for the text. */
export function PictureTool({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useWords(editorWords);
  return (
    <FileChoice label={t.pictureFile} accept={textPictureTypes.join()} isMultiple onFiles={onFiles}>
      {(choose) => <IconButton label={t.insertPicture} size="small" icon={<ImageAddRegular />} onClick={choose} />}
    </FileChoice>
  );
}
