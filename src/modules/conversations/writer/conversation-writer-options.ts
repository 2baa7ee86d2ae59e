import type { Logger } from 'pino'
import type { BotBudgets } from '../../bots/bot-budgets.js'
import type { Purse } from '../../bots/purse.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import type { Dispatcher } from '../../../platform/events/dispatcher.js'
import type { WritingAccounts } from '../../../platform/fairness/writing-accounts.js'
import type { Outbox } from '../../../platform/events/outbox.js'
import type { Charges } from '../state/charges.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Grants } from '../state/grants.js'

export interface ConversationWriterOptions {
  database: Database
  dispatcher: Dispatcher
  outbox: Outbox
  clock: Clock
  log: Logger
  wakeJobs: () => void
  writingAccounts: WritingAccounts
  /** Called with how long an accepted conversation had been queued. */
  observeQueueWait: (ms: number) => void
  /** After how long without a message an answered conversation is no longer part of its agent's load. */
  idleMinutes: number
  /** Called after work of this contact center began to wait, or an agent has room again. */
  onWorkChanged: (organization: string) => void
  /** Returns what a bot may do in the conversation of an operation. */
  grantsOf: (bot: string, change: ConversationChange) => Grants
  budgets: BotBudgets
  /** Counts what the bot of an operation says. */
  chargesOf: (purse: Purse, change: ConversationChange) => Charges
  /** Called when operations have ended: reads what their clocks count by, and adds what the server tells consumers. */
  conclude: (changes: readonly ConversationChange[]) => Promise<void>
  /** Called after the commit of an operation that has begun or ended streams. */
  onStreams: (change: Pick<ConversationChange, 'begunStreams' | 'endedStreams'>) => void
  /** Called with the time that a write waited for its turn among callers and tenants, and with the tenant. */
  observeWait?: (ms: number, tenant: string) => void
}
