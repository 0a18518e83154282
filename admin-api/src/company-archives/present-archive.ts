import { dayMs } from '@selvage/core/utc-day';
import type { Cursor } from '@selvage/core/company-archive/cursor';
import type { App } from '@selvage/core/context/app';
import type { ArchiveDto } from '@selvage/core/contracts/company-archives';
import type { CompanyArchive } from '@selvage/core/models/company-archive';

export function presentArchive({ config }: Pick<App, 'config'>, archive: CompanyArchive): ArchiveDto {
  const { state, finishedAt, done } = archive;
  const expiresAt = state === 'ready' && finishedAt && new Date(finishedAt.getTime() + config.archives.days * dayMs);
  return {
    _id: String(archive.id),
    file_name: archive.fileName,
    state: shownState(archive),
    problem: archive.problem ?? null,
    done,
    // `done` also counts mail that arrived after the total was counted
    total: Math.max(archive.total ?? 0, done),
    lost: archive.lost,
    people: archive.people,
    size: Number(archive.bytes ?? 0),
    sha256: archive.sha256 ?? null,
    asked_by: archive.askerName,
    createdAt: archive.createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    expiresAt: expiresAt ? expiresAt.toISOString() : null,
  };
}

function shownState({ state, cursorAt }: CompanyArchive): ArchiveDto['state'] {
  if (state === 'making') return (cursorAt as Cursor).stage === 'end' ? 'checking' : 'making';
  return state === 'ready' ? 'ready' : 'failed';
}
