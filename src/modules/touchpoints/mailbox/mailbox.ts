import { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { serverSecret } from '../../auth/server-secret.js'
import type { InstalledTouchpoint, TouchpointParts } from '../install.js'
import { fileSentJob, MAILBOX_FILE } from './file-sent-job.js'
import { MailPrints } from './mail-print.js'
import { MailboxAdapter } from './mailbox-adapter.js'
import { MailboxEntriesResolver, MailboxEntryMessagesResolver } from './mailbox-entries-resolver.js'
import { MailboxKind } from './mailbox-kind.js'
import { MailboxRunner } from './mailbox-runner.js'
import { createMailboxSignIn } from './mailbox-sign-in.js'
import { createMailboxTest } from './mailbox-test.js'

/** Mailboxes whose mails are being read on a node: each has up to some megabytes of them in memory. */
const READING = { total: 8, perTenant: 4, perCaller: 1, waitingPerCaller: 1 }

/** Installs mailboxes: email that is fetched by IMAP and sent by SMTP of the same account (4.7). */
export async function installMailbox(parts: TouchpointParts): Promise<InstalledTouchpoint> {
  const { clock, config, database, log, mail, mailer, metrics, pulse, sealer, sessions, systemContext, transact } =
    parts
  const { mailBytesMax: bytesMax, webhookAllowPrivate: isPrivateAllowed } = config
  const { grants, receiver } = mail
  const isGuarded = !isPrivateAllowed
  const runner = new MailboxRunner({
    ...{
      clock,
      database,
      log,
      sealer,
      sessions,
      pulse,
      systemContext,
      transact,
      grants,
      receiver,
      bytesMax,
      isGuarded,
    },
    prints: new MailPrints(await serverSecret(database, sealer, 'mailboxes')),
    turns: new FairQueue({ name: 'mailboxes', limits: READING }),
  })
  const { attachments, jobs } = parts
  const stopping = new AbortController()
  const sending = { sql: database, tokens: mail.tokens, attachments: attachments.store, grants, isGuarded, log, mailer }
  const { links } = attachments
  jobs.register(MAILBOX_FILE, fileSentJob({ ...sending, links, sealer, systemContext, stopped: stopping.signal }))
  metrics.gauge('mailboxes_read', 'Mailboxes that this node reads.', () => runner.reading)
  return {
    adapter: new MailboxAdapter({ ...sending, clock, contextSent: mail.contextSent, wakeJobs: () => jobs.wake() }),
    kind: new MailboxKind({
      clock,
      isPrivateAllowed,
      wake: () => runner.wake(),
      test: createMailboxTest({ grants, mailer, isGuarded }),
      authorize: createMailboxSignIn({ http: mail.http, clock, isPrivateAllowed }),
    }),
    resolvers: [new MailboxEntriesResolver({ transact }), new MailboxEntryMessagesResolver()],
    async start() {
      runner.start()
    },
    async stop() {
      stopping.abort()
      await runner.stop()
    },
  }
}
