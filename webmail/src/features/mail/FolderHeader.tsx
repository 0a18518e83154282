import type { EmailRowDto } from '@selvage/core/contracts/email';
import { QuestionCircleRegular } from '@fluentui/react-icons/svg/question-circle';
import { TextDensityRegular } from '@fluentui/react-icons/svg/text-density';
import { IconButton } from '../../components/IconButton.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { BulkActions } from './BulkActions.tsx';
import { ComposeButton } from './ComposeButton.tsx';
import type { Folder } from './folders.ts';
import { labelIn, type MailPlace, ownFolderIn } from './mail-place.ts';
import { useOwnFolders } from './own-folders/use-own-folders.ts';
import { useLabels } from './labels/use-labels.ts';
import { ListHeader } from './ListHeader.tsx';
import { EmptyButton } from './TrashActions.tsx';
import { UnsentButton } from './UnsentButton.tsx';
import { usePane } from './pane.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

const ViewMenu = lazyMenu(() => import('./ViewMenu.tsx'));

interface Props {
  folder: MailPlace;
  total: number | undefined;
  /** The total counts conversations. */
  isGrouped: boolean;
  selection: Selection<EmailRowDto>;
  whole: WholeFolderState;
  isRefreshing: boolean;
  onRefresh: () => void;
  canCompose: boolean;
  onHelp: () => void;
}

/**
 * The name of the list. The names of labels and of the person's own folders come with the totals.
 */
function useTitle(place: MailPlace): string {
  const t = useWords(mailListWords);
  const labels = useLabels();
  const folders = useOwnFolders();
  const own = ownFolderIn(place);
  const label = labelIn(place);
  if (own !== null) return folders.find(({ _id }) => _id === own)?.name ?? t.folder;
  if (label === null) return t[place as Folder];
  return labels.find(({ _id }) => _id === label)?.name ?? t.label;
}

/** Heading of a folder. While messages are ticked, what can be done with them takes its place. */
export function FolderHeader(props: Props) {
  const { folder, total, isGrouped, selection, whole, isRefreshing, onRefresh, canCompose, onHelp } = props;
  const t = useWords(mailListWords);
  const isNarrow = useMedia(NARROW);
  // A list beside the open message
  const isTight = usePane()?.place === 'right';
  const canBeEmptied = total !== undefined && total > 0 && selection.chosen.length === 0;
  return (
    <ListHeader
      title={useTitle(folder)}
      count={
        total === undefined
          ? undefined
          : { number: total, label: (isGrouped ? t.conversationCount : t.messageCount)(total) }
      }
      selection={selection}
      chosenNumber={whole.chosen ? total : undefined}
      bulkActions={<BulkActions folder={folder} selection={selection} whole={whole} />}
      extra={
        <>
          {!isNarrow && !isTight && (
            <IconButton label={t.shortcuts} icon={<QuestionCircleRegular />} onClick={onHelp} />
          )}
          <LazyMenu label={t.viewOptions} icon={<TextDensityRegular />} menu={ViewMenu} />
        </>
      }
      isRefreshing={isRefreshing}
      onRefresh={onRefresh}
    >
      {(folder === 'trash' || folder === 'junk') && canBeEmptied && <EmptyButton folder={folder} />}
      {canCompose && selection.chosen.length === 0 && <UnsentButton />}
      {canCompose && folder !== 'trash' && <ComposeButton isTight={isTight} />}
    </ListHeader>
  );
}
