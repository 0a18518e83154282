/** The type of a file that a browser has sent, without parameters, if it is a valid media type. */
export function mediaTypeOf(contentType: string): string {
  const type = contentType.split(';')[0]?.trim() ?? '';
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}
