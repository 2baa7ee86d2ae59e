import type { WritingChange } from './writing-change.js'

/**
 * Deletes the last job of a key under the conversation's lock: a runner that has it at this moment finds it gone and is
 * rolled back.
 */
export function dropJob(change: WritingChange, key: string, { kind }: { kind: string }): void {
  change.afterWrites(
    `with dropped as (
       delete from job where (key, number) in (
         select key, number from job where key = $1 and kind = $2 order by number desc limit 1)
       returning key)
     update job_partition set due_at = least(due_at, $3) where key in (select key from dropped)`,
    [key, kind, change.now],
  )
}
