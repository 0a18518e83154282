import { type Reply, replyLine } from '../reply.ts';

/** A refusal in the form that smtp-server expects. */
export class SmtpFailure extends Error {
  readonly responseCode: number;
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(replyLine(reply));
    this.responseCode = reply.code;
    this.reply = reply;
  }
}
