import { letNextComeDue } from '../support/next-job.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Waits until an erasure is done: both looks of it. @throws Error when a job of the server goes on failing */
export async function erasureDone(app: Pick<TestServer, 'clock' | 'server'>, id: string): Promise<void> {
  const { database } = app.server
  await until(
    async () => {
      // Not what one of the next attempts repairs.
      const failed = await database.query(
        'select kind, last_error from job where last_error is not null and failures > 5',
      )
      if (failed.length > 0) throw new Error(JSON.stringify(failed))
      const [row] = await database.query<{ status: string }>('select status from erasure where id = $1', [id])
      if (row!.status === 'erasing') await letNextComeDue(app, 'privacy.erase')
      return row!.status
    },
    (status) => status === 'done',
  )
}
