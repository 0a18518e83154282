import { makeStyles, tokens } from '@fluentui/react-components';
import { DocumentRegular } from '@fluentui/react-icons/svg/document';
import { DocumentPdfRegular } from '@fluentui/react-icons/svg/document-pdf';
import { FolderZipRegular } from '@fluentui/react-icons/svg/folder-zip';
import { ImageRegular } from '@fluentui/react-icons/svg/image';

const useStyles = makeStyles({
  root: { display: 'flex', flexShrink: 0, fontSize: '24px', color: tokens.colorBrandForeground1 },
});

export function FileIcon({ contentType }: { contentType: string }) {
  const styles = useStyles();
  return (
    <span className={styles.root} aria-hidden>
      {contentType.startsWith('image/') ? (
        <ImageRegular />
      ) : contentType === 'application/pdf' ? (
        <DocumentPdfRegular />
      ) : /zip|compressed|tar/.test(contentType) ? (
        <FolderZipRegular />
      ) : (
        <DocumentRegular />
      )}
    </span>
  );
}
