/** Pictures that mail programs show in a text. */
export const textPictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A picture as an address that holds all of it; null when the file can't be read. */
export function readPicture(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : null));
    reader.addEventListener('error', () => resolve(null));
    reader.readAsDataURL(file);
  });
}
