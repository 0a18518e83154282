// New mail is announced by the feed of changes and no longer by a job: rows of that job would wait
// for ever.

export const statements = ["DELETE FROM outbox WHERE job_name = 'mail.notify'"];
