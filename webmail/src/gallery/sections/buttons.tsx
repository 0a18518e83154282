import { Button } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { CopyButton } from '../../components/CopyButton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LazyMenu } from '../../components/LazyMenu.tsx';
import { rowMenu } from '../../components/list/row-menu.ts';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import { Specimen } from '../Specimen.tsx';

const nothing = (): void => undefined;
const actions = [
  { label: 'Edit', run: nothing },
  { label: 'Send Credentials', run: nothing },
  { label: 'Delete', run: nothing, isDangerous: true },
];

export function Buttons() {
  return (
    <>
      {(['primary', 'secondary', 'subtle', 'transparent'] as const).map((appearance) => (
        <Specimen key={appearance} title={appearance}>
          <Button appearance={appearance}>Save</Button>
          <Button appearance={appearance} size="small">
            Small
          </Button>
          <Button appearance={appearance} size="large">
            Large
          </Button>
          <Button appearance={appearance} icon={<AddRegular />}>
            Add New Company
          </Button>
          <Button appearance={appearance} disabled>
            Disabled
          </Button>
          <Button appearance={appearance} disabledFocusable>
            Not now
          </Button>
        </Specimen>
      ))}
      <Specimen title="That send a form">
        <SubmitButton label="Save" busyLabel="Saving" isBusy={false} />
        <SubmitButton label="Save" busyLabel="Saving" isBusy />
        <SubmitButton label="Save" busyLabel="Saving" isBusy={false} isDisabled />
        <SubmitButton label="Log in" busyLabel="Logging in" isBusy={false} size="large" />
      </Specimen>
      <Specimen title="With only a picture">
        <IconButton label="Archive" icon={<ArchiveRegular />} />
        <IconButton label="Delete" icon={<DeleteRegular />} size="small" />
        <IconButton label="Not now" icon={<DeleteRegular />} disabledFocusable />
        <LazyMenu label="Actions for Ambika Mills" icon={<MoreHorizontalRegular />} menu={rowMenu} items={actions} />
        <CopyButton name="the record" text="v=spf1 mx -all" />
      </Specimen>
      <Specimen title="A toolbar: one stop of the Tab key, arrows inside">
        <Toolbar label="Selected mills">
          <IconButton label="Archive them" icon={<ArchiveRegular />} />
          <IconButton label="Delete them" icon={<DeleteRegular />} />
          <Button appearance="subtle" icon={<AddRegular />}>
            Add
          </Button>
        </Toolbar>
      </Specimen>
      <Specimen title="A link">
        <TextLink to="/somewhere">Forgot your password?</TextLink>
      </Specimen>
      <Specimen title="Long words">
        <Button appearance="primary">Permanently Delete the Client and Everything It Provisioned</Button>
        <Button>Datenschutzgrundverordnungskonforme Löschung</Button>
      </Specimen>
    </>
  );
}
