import type { Logger } from 'pino'
import type { Clock } from '../../db/clock.js'
import type { Database } from '../../db/database.js'
import type { Dispatcher } from '../../events/dispatcher.js'
import type { WritingTenants } from '../../fairness/writing-tenants.js'
import type { Outbox } from '../../events/outbox.js'
import type { ConversationDraft } from './conversation-draft.js'

export interface ConversationWriterOptions {
  database: Database
  dispatcher: Dispatcher
  outbox: Outbox
  clock: Clock
  log: Logger
  wakeJobs: () => void
  writingTenants: WritingTenants
  /** Called with how long an accepted conversation had been queued. */
  observeQueueWait: (ms: number) => void
  /** After how long without a message an answered conversation is no longer part of its agent's load. */
  idleMinutes: number
  /** Called after work of this level-1 organization began to wait, or an agent has room again. */
  onWorkChanged: (organization: string) => void
  /** Called when operations have ended: reads what their clocks count by, and adds what the server tells consumers. */
  conclude: (drafts: readonly ConversationDraft[]) => Promise<void>
  /** Called with the time that a write waited for its turn among callers and tenants, and with the tenant. */
  observeWait?: (ms: number, tenant: string) => void
}
