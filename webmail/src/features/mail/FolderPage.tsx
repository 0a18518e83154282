import { useEffect } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { isAllowed, useCurrentUser } from '../../lib/current-user.ts';
import { type Folder, folderInfo, folderNames, isFolder } from './folders.ts';
import { FolderView } from './FolderView.tsx';

/** Checks that the folder exists and may be seen, then shows it. Each folder starts with a clean selection. */
export function FolderPage() {
  const { folder } = useParams();
  const user = useCurrentUser();
  const allowed = folderNames.filter((name) => isAllowed(user, name, 'view'));
  if (isFolder(folder) && allowed.includes(folder)) return <TitledFolder key={folder} folder={folder} />;
  const [first] = allowed;
  if (first) return <Navigate to={`/dashboard/${first}`} replace />;
  return (
    <StatusPage
      title="There is nothing here for you yet"
      hint="Your role does not open any mail folder. Ask your administrator."
    />
  );
}

function TitledFolder({ folder }: { folder: Folder }) {
  useEffect(() => {
    document.title = `${folderInfo[folder].title} · Selvage`;
  }, [folder]);
  return <FolderView folder={folder} />;
}
