import { mostOwnFolders, type OwnFolderDto, removeOwnFolder } from '@selvage/core/contracts/own-folders';
import { FolderRegular } from '@fluentui/react-icons/svg/folder';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { ownFolderWords } from '../../../words/own-folders.ts';
import { choose, useMailChoices } from '../mail-choices.ts';
import { OwnPlaces } from '../own-places/OwnPlaces.tsx';
import { useOwnFolders } from './use-own-folders.ts';

const FolderDialog = lazyExtra(() => import('./FolderDialog.tsx'));

const iconOf = () => <FolderRegular />;
const dialogFor = (folder: OwnFolderDto | undefined, close: () => void) => (
  <FolderDialog {...(folder && { folder })} onClose={close} />
);

/** The folders that the person made, below those of the host. */
export function OwnFolderNavigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const t = useWords(ownFolderWords);
  return (
    <OwnPlaces
      places={useOwnFolders()}
      most={mostOwnFolders}
      words={{ ...t, title: t.folders, add: t.newFolder, edit: t.rename }}
      pathOf={({ _id }) => `/dashboard/folder/${_id}`}
      iconOf={iconOf}
      dialogFor={dialogFor}
      prepareDialog={FolderDialog.prepare}
      remove={(id, as) => api(removeOwnFolder, { params: { id }, as })}
      isFolded={useMailChoices().areFoldersFolded}
      onFold={(areFoldersFolded) => choose({ areFoldersFolded })}
      onNavigate={onNavigate}
    />
  );
}
