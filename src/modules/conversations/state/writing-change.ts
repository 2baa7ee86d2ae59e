import type { Sql } from '../../../platform/db/sql.js'
import type { JsonObject } from '../../../platform/json.js'
import { ConversationChange } from './conversation-change.js'
import type { LastStatement } from './last-statement.js'
import type { JointWrite } from './shared-reads.js'

/**
 * The change of an operation that also issues statements of its own. If the operation is refused, its transaction is
 * rolled back: only `runExclusive` and `runWriting` provide one.
 */
export class WritingChange extends ConversationChange {
  declare readonly sql: Sql
  declare readonly lastStatements: LastStatement[]
  /** Ids of messages that go by {@link lastStatements}. */
  readonly deletedMessages: string[] = []

  // oxlint-disable-next-line no-useless-constructor -- narrows the type of the connection
  constructor(sql: Sql, ...rest: Rest<ConstructorParameters<typeof ConversationChange>>) {
    super(sql, ...rest)
  }

  /**
   * Writes with one statement for all operations of the transaction that ask for the same while they decide together.
   * @param statement a function that exists once: its identity tells what is the same
   */
  together<Key, Value>(statement: JointWrite<Key, Value>, key: Key): Promise<Value> {
    return this.shared.writeTogether(statement, key)
  }

  /** Adds a statement that runs after all other writes of the transaction. */
  afterWrites(text: string, values: unknown[]): void {
    this.lastStatements.push({ text, values })
  }

  /** Adds a row that a statement writes after all other writes, with those of the transaction's other operations. */
  rowAfterWrites(text: string, row: JsonObject): void {
    this.lastStatements.push({ text, row })
  }
}

type Rest<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Others] ? Others : never

/** Requires the change of an operation that issues statements: the caller ensures that the operation is exclusive. */
export function requireWriting(change: ConversationChange): WritingChange {
  if (change instanceof WritingChange) return change
  throw new Error('an operation that issues statements of its own must not run in a shared batch')
}
