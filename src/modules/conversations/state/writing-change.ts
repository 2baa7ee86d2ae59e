import type { Sql } from '../../../platform/db/sql.js'
import { ConversationChange } from './conversation-change.js'

interface Statement {
  text: string
  values: unknown[]
}

/**
 * The change of an operation that also issues statements of its own. If the operation is refused, its transaction is
 * rolled back: only `runExclusive` and `runWriting` provide one.
 */
export class WritingChange extends ConversationChange {
  declare readonly sql: Sql
  declare readonly lastStatements: Statement[]
  /** Ids of messages that go by {@link lastStatements}. */
  readonly deletedMessages: string[] = []

  // oxlint-disable-next-line no-useless-constructor -- narrows the type of the connection
  constructor(sql: Sql, ...rest: Rest<ConstructorParameters<typeof ConversationChange>>) {
    super(sql, ...rest)
  }

  /** Adds a statement that runs after all other writes of the transaction. */
  afterWrites(text: string, values: unknown[]): void {
    this.lastStatements.push({ text, values })
  }
}

type Rest<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Others] ? Others : never

/** Requires the change of an operation that issues statements: the caller ensures that the operation is exclusive. */
export function requireWriting(change: ConversationChange): WritingChange {
  if (change instanceof WritingChange) return change
  throw new Error('an operation that issues statements of its own must not run in a shared batch')
}
