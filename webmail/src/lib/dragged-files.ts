/*
 * Browsers list a picture that is dragged out of a text as a file too. So an editor marks what is
 * dragged out of it: within a text the browser moves the picture by itself, and taking the file as
 * well would put it there twice.
 */

const ofText = 'application/x-selvage-text';

/** Marks a drag that begins in the text of an editor. */
export function markAsOfText(data: Pick<DataTransfer, 'setData'>): void {
  data.setData(ofText, '1');
}

/** Whether files from elsewhere are dragged. */
export function carriesFiles({ types }: Pick<DataTransfer, 'types'>): boolean {
  return types.includes('Files') && !types.includes(ofText);
}

/** Whether a picture is dragged that stands in the text of an editor. */
export function carriesOwnPicture({ types }: Pick<DataTransfer, 'types'>): boolean {
  return types.includes('Files') && types.includes(ofText);
}
