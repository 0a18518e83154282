import { useEffect } from 'react';

/** Tells the part above, which stands around a form, whether the form has unsaved changes. */
export function useReportDirty(isDirty: boolean, tell: (isDirty: boolean) => void): void {
  useEffect(() => tell(isDirty), [isDirty, tell]);
}
