import { type LabelDto, mostLabels, removeLabel } from '@selvage/core/contracts/labels';
import { lazyExtra } from '../../../components/lazy-extra.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { labelWords } from '../../../words/labels.ts';
import { choose, useMailChoices } from '../mail-choices.ts';
import { OwnPlaces } from '../own-places/OwnPlaces.tsx';
import { Swatch } from './Swatch.tsx';
import { useLabels } from './use-labels.ts';

const LabelDialog = lazyExtra(() => import('./LabelDialog.tsx'));

const iconOf = ({ colour }: LabelDto) => <Swatch colour={colour} />;
const dialogFor = (label: LabelDto | undefined, close: () => void) => (
  <LabelDialog {...(label && { label })} onClose={close} />
);

/** The person's labels, below the folders of the navigation. */
export function LabelNavigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const t = useWords(labelWords);
  return (
    <OwnPlaces
      places={useLabels()}
      most={mostLabels}
      words={{ ...t, title: t.labels, add: t.newLabel }}
      pathOf={({ _id }) => `/dashboard/label/${_id}`}
      iconOf={iconOf}
      dialogFor={dialogFor}
      prepareDialog={LabelDialog.prepare}
      remove={(id, as) => api(removeLabel, { params: { id }, as })}
      isFolded={useMailChoices().areLabelsFolded}
      onFold={(areLabelsFolded) => choose({ areLabelsFolded })}
      onNavigate={onNavigate}
    />
  );
}
