const form = /^\/upload\/avatars\/([0-9a-f]{64})\.webp$/;

/** Where a person's picture is served, and what `users.avatar` holds. */
export function avatarPath(blobKey: string): string {
  return `/upload/avatars/${blobKey}.webp`;
}

/** The blob behind such a path; null for anything else. */
export function avatarKey(path: string | null): string | null {
  return form.exec(path ?? '')?.[1] ?? null;
}
