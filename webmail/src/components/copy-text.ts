/**
 * Copies a text to the clipboard; false when the browser does not allow it. `near` is an element of
 * the open dialog, if there is one.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // On plain http there is no clipboard to write to: the old way still works
    return copyOldWay(text, near);
  }
}

function copyOldWay(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside the dialog, which does not let the focus out
  (near.parentElement ?? document.body).append(field);
  field.select();
  try {
    // oxlint-disable-next-line no-deprecated -- what replaces it is missing on plain http
    return document.execCommand('copy');
  } finally {
    field.remove();
    near.focus();
  }
}
