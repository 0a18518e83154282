import { AppError, badRequest, tooLarge, unsupportedMedia } from '@selvage/core/errors';

/**
 * The error to answer when a body can't be read: the caller sent a bad body or closed the
 * connection. Any other error is returned unchanged.
 */
export function bodyProblem(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const status = Number(('httpCode' in error && error.httpCode) || ('status' in error && error.status) || 0);
  if (status === 413) return tooLarge('The request is too large.');
  if (status === 415) return unsupportedMedia();
  // Formidable's answer to a part in another transfer encoding than base64
  if (status === 501) return unsupportedMedia('Send the parts of the form as they are, or in base64.');
  const hasHungUp = 'code' in error && error.code === 'ECONNRESET';
  return status === 400 || hasHungUp ? badRequest('The request body could not be read.', 'malformed_body') : error;
}
