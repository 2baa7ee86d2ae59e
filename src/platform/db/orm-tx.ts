import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery, type Transaction } from 'kysely'
import type { Proof, Sql } from './sql.js'

/** A transaction: the ORM's unit of work and hand-written SQL, committed together. */
export interface Tx extends Sql {
  em: EntityManager
}

export class OrmTx implements Tx {
  prove?: (proof: Proof) => void

  constructor(readonly em: EntityManager) {}

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const transaction = this.em.getTransactionContext<Transaction<unknown>>()
    if (!transaction) throw new Error('the transaction has ended')
    await this.em.flush()
    const result = await transaction.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))
    return result.rows as Row[]
  }
}
