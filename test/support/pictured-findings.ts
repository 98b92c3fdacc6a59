/**
 * Plausible findings of a team that builds a service, oldest first: type, file and concepts; title; narrative; facts.
 */
export const PICTURED_FINDINGS = `
decision src/db/migrate.ts database trade-off
Migrations only add; columns go a release later
Two versions run side by side during a deploy. A column that the old one still reads must survive it.
A lint step refuses DROP in the same release as the code that stops reading.

decision src/queue/lease.ts queue trade-off
Jobs are locked by an advisory lock of the database
A lock costs nothing to keep and goes with the connection, so that a worker that dies leaves nothing behind.

discovery src/queue/lease.ts queue gotcha
The connection pooler does not keep advisory locks
In transaction mode every statement may go to another connection, and the lock stays with the first. Jobs ran twice under load.
Seen with 40 workers, never with one.

decision src/queue/lease.ts queue trade-off
Jobs are leased for thirty seconds, not locked
A worker that dies leaves nothing behind that somebody would have to clean up: its lease runs out.
A lease is renewed every ten seconds while the job runs.
Rejected: advisory locks, which the pooler does not keep.

feature src/api/events.ts api pagination
Events can be listed by account and by day
The route takes an account and a range of days, and answers newest first.

discovery src/api/pagination.ts api performance
Offset pages get slow beyond fifty thousand rows
The last page of events took four seconds. The database reads and throws away everything before the offset; a cursor over time and id answers in eight milliseconds.
The index needs both columns, in that order.
Old clients still send a page number: they get at most 1,000 pages.

refactor src/auth/session.ts auth
Sessions are read through one function
Three places decoded the cookie by themselves, and one forgot to look at its age.
A lint rule keeps the old way from coming back.

bugfix src/mail/template.ts mail gotcha
Names with an apostrophe broke the subject of mails
The subject went through the HTML escaping of the body. It is encoded for mail headers now, and for nothing else.

security src/auth/reset.ts auth security
Password reset told whether an address has an account
The answer took 300 ms longer for known addresses, because the mail was sent within the request. It goes through the queue now.
The time is measured in a test, as a ratio of both answers.

feature src/webhooks/deliver.ts webhooks retry
Webhooks are retried for a day, with growing pauses
Twelve tries between ten seconds and six hours. What still fails can be sent again by hand.
A 410 ends the retries and switches the hook off.
Every try carries the same idempotency key.

change src/billing/invoice.ts billing
Invoices are numbered by country, without gaps
Two tax offices ask for numbers without gaps. The number is drawn in the transaction that closes the invoice.
Drafts have no number at all.

bugfix src/billing/round.ts billing gotcha
Totals were rounded by line and once more in the sum
An invoice of 40 lines was off by up to 20 cents. Amounts stay in thousandths until the total is printed.
The three affected customers got a corrected invoice.

discovery src/search/tokens.ts search performance
Prefix search needs the text pattern operator class
Without it the index is not used for LIKE in any locale but C, and every key press reads the whole table.

feature src/export/csv.ts export
Reports can be downloaded as CSV
The file is streamed row by row, so that a report of a million rows takes no more memory than one of ten.

bugfix src/export/csv.ts export gotcha
The CSV export wrote dates in the time zone of the server
Customers west of Greenwich saw invoices a day early. Dates are now written in the time zone of the account.
Excel drops the offset silently, so that the date stands in a column of its own.
Accounts from before 2024 have no time zone: UTC is taken.

refactor src/api/errors.ts api
Errors of the API carry a code that never changes
Clients matched on messages, which we wanted to mend. The code stands beside the message now, and is documented.

decision src/config/load.ts configuration trade-off
Configuration is read once, at the start
A value that changes under a running request made two bugs that nobody could repeat. A changed file needs a restart.
Rejected: watching the file, with a lock around every read.

security src/uploads/check.ts uploads security
Uploads are served from an origin of their own
An SVG with a script ran with the session of whoever opened it. Uploads now come from a domain without cookies.

bugfix src/uploads/stream.ts uploads
An upload that was cut off left its part behind
The temporary file is removed when the request ends, however it ends. A nightly job had deleted them, and hid this.
41 GB had gathered on the oldest machine.

discovery test/queue.test.ts testing gotcha
The test of the queue fails at the change to summer time
It adds a day as 24 hours. The code is right; the test now asks the calendar.

change src/logging/fields.ts logging
Logs name the request, the account and the job
Who looks into a failure had to join three logs by time. Every line carries the three ids where they are known.

feature src/queue/pause.ts queue
A queue can be paused while it is drained
Deploys wait for running jobs and take no new ones. The pause ends by itself after ten minutes.

decision src/cache/tags.ts cache trade-off
Cached pages are dropped by tag, not by age
A page that is five minutes old is wrong for whoever just saved. Each entry lists the rows that it was made of.
Costs about 3 % more memory than the entries alone.

refactor src/mail/send.ts mail
Mails are built in one place and sent in another
The preview in the settings had its own copy of every template, and two of them had drifted.

bugfix src/search/rank.ts search
Exact titles came after longer ones
The rank was divided by the length of the whole text instead of the field that matched.

discovery src/db/pool.ts database performance
Twenty connections do more than eighty
With eighty the database spent a third of its time on locks of its own. The pool is at twenty, and p95 fell from 410 to 130 ms.

change src/api/limits.ts api
Limits are counted by account, no longer by address
Offices with one address shared a limit. The address counts only before the log-in.

bugfix src/queue/worker.ts queue gotcha
A job ran twice when its lease expired during a deploy
The worker went on with the job while it drained, without renewing. It now renews until the last job is done, and a job checks that it still holds its lease before it writes.
Seen three times in October, always with the nightly export.
Jobs must be idempotent all the same: a lease is no lock.

feature src/queue/metrics.ts queue logging
The age of the oldest job is measured
Its length says little about a queue: ten slow jobs are worse than a thousand quick ones. An alarm goes off at five minutes.

discovery src/queue/lease.ts queue performance
Renewing costs one statement for all jobs of a worker
One update with a list of ids takes as long as one with a single id. Forty workers renew in 6 ms together.
`;
