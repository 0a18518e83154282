/** A browser may still read the bytes after the click. */
const KEPT_MS = 60_000;

/** Saves bytes as a file of the person's device. */
export function saveFile(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
