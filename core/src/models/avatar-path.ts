const form = /^\/upload\/avatars\/([0-9a-f]{64})\.webp$/;

/** The path at which a person's picture is served, and which `users.avatar` holds. */
export function avatarPath(blobKey: string): string {
  return `/upload/avatars/${blobKey}.webp`;
}

/** The key of the blob behind such a path; null for any other text. */
export function avatarKey(path: string | null): string | null {
  return form.exec(path ?? '')?.[1] ?? null;
}
