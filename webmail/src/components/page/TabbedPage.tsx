import type { ReactNode } from 'react';
import { Page } from './Page.tsx';
import { type TabsProps, useTabs } from './Tabs.tsx';

interface Props<Name extends string> extends Omit<TabsProps<Name>, 'label'> {
  title: string;
  /** Stands after the title. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** Stands between the title and the tabs, and stays there while the content scrolls. */
  header?: ReactNode;
  /** Stands there too, but scrolls with the content and takes the tabs along. */
  lead?: ReactNode;
}

/** A page whose content is in tabs. */
export function TabbedPage<Name extends string>(props: Props<Name>) {
  const { title, aside, actions, header, lead } = props;
  const { row, panel } = useTabs({ ...props, label: title }, lead !== undefined);
  return (
    <Page
      title={title}
      aside={aside}
      actions={actions}
      above={
        <>
          {header}
          {!lead && row}
        </>
      }
    >
      {lead}
      {lead ? (
        <div>
          {row}
          {panel}
        </div>
      ) : (
        panel
      )}
    </Page>
  );
}
