/**
 * Whether the browser can read a file. It can't read a folder that was dropped, nor a file that was
 * changed or moved since it was chosen.
 */
export function isReadable(file: File): Promise<boolean> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(true));
    reader.addEventListener('error', () => resolve(false));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
}
