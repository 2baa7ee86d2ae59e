import type { Sql } from '../../db/sql.js'
import { ConversationDraft } from './conversation-draft.js'

interface Statement {
  text: string
  values: unknown[]
}

/**
 * The draft of an operation that also issues statements of its own. If the operation is refused, its transaction is
 * rolled back: only `runExclusive` and `runWriting` provide one.
 */
export class WritingDraft extends ConversationDraft {
  declare readonly sql: Sql
  declare readonly lastStatements: Statement[]

  // oxlint-disable-next-line no-useless-constructor -- narrows the type of the connection
  constructor(sql: Sql, ...rest: Rest<ConstructorParameters<typeof ConversationDraft>>) {
    super(sql, ...rest)
  }

  /** Adds a statement that runs after all other writes of the transaction. */
  afterWrites(text: string, values: unknown[]): void {
    this.lastStatements.push({ text, values })
  }
}

type Rest<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Others] ? Others : never

/** Requires the draft of an operation that issues statements: the caller ensures that the operation is exclusive. */
export function requireWriting(draft: ConversationDraft): WritingDraft {
  if (draft instanceof WritingDraft) return draft
  throw new Error('an operation that issues statements of its own must not run in a shared batch')
}
