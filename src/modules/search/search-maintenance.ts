import type { Sql } from '../../platform/db/database.js'
import { Maintenance, type MaintenanceOptions } from '../../platform/maintenance/maintenance.js'

const EVERY_MS = 5_000
/** An arbitrary constant: the node that runs it holds this advisory lock. */
const SEARCH_LOCK = 7_301_960_420
const INDEXES = ['message_search', 'conversation_search', 'contact_search']

/**
 * Merges the pending lists of the search indexes. New words go to a pending list, which keeps sends cheap and is also
 * read by searches; otherwise the send that finds it full would have to merge it (0.7 s for 4 MB).
 */
export function createSearchMaintenance(dependencies: Omit<MaintenanceOptions, 'tasks'>): Maintenance {
  const run = async (sql: Sql): Promise<void> => {
    for (const index of INDEXES) await sql.query('select gin_clean_pending_list($1::regclass)', [index])
  }
  return new Maintenance({ ...dependencies, tasks: [{ name: 'search', run }], everyMs: EVERY_MS, lock: SEARCH_LOCK })
}
