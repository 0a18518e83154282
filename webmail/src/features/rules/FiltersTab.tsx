import { BlockedSection } from './BlockedSection.tsx';
import { FilterSection } from './FilterSection.tsx';

/** What happens to a person's new mail by their own rules. */
export function FiltersTab() {
  return (
    <>
      <FilterSection />
      <BlockedSection />
    </>
  );
}
