/** A browser may still read the bytes after the click. */
const KEPT_MS = 60_000;

/** Saves bytes as a file of the person's device. */
export function saveFile(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes);
  savePath(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Has the browser fetch and save a file; unless a name is given, the server's answer has it. */
export function savePath(path: string, name = ''): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}
