import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { pathOf, type TenantColumns } from '../../../platform/db/tenancy.js'
import { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { systemShare, type Share } from '../../../platform/fairness/share.js'
import { oneAtATime } from '../../../platform/fairness/shares.js'
import { addJobs, finishJob, RetryLater, type Job } from '../../../platform/jobs/job.js'
import { ENDED, type JobKind } from '../../../platform/jobs/job-type.js'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import { ZIP } from '../../attachments/content-type.js'
import type { ReceivedFile } from '../../attachments/upload-spool.js'
import { ContactReader } from './contact-reader.js'
import { EXPORT_END } from './end-exports.js'
import type { ExportFolder, ExportFolders } from './export-folders.js'
import { writeContents, type Contents } from './write-contents.js'
import { ZipWriter } from './zip-writer.js'

/** For which an export can be downloaded. */
const KEPT_MS = 7 * 86_400_000
/** About two minutes of pauses in between. */
const ATTEMPTS_MAX = 8
/** From this attempt on, a file that cannot be read is named as missing: a store that is away comes back before. */
const LAST_TRIES = 6
/** Between two looks whether it is still wanted. */
const LOOK_MS = 1_000
/** It rests as long as it works, and longer while other jobs are late. */
const REST_MS_MAX = 100
const BEHIND_REST_MS = 250
const AGAIN_MS = 1_000

export interface WriteExportDependencies {
  database: Database
  store: AttachmentStore
  folders: ExportFolders
  clock: Clock
  /** Tells whether rules or messages are delayed on this node. */
  isBehind: () => boolean
  systemContext: (requestId: string) => Context
}

type Payload = { export: string; organization: string }

interface Wanted extends TenantColumns {
  id: string
  contact: string
  notes: boolean
}

/** The export was deleted with its contact, or it is not pending any more. */
class NotWanted extends Error {}

/**
 * Handles `contactExport.write`: one export at a time on each node, begun anew by each attempt. Its own job is what removes the
 * bytes of an export that is gone: it ends when the record says that they are there, or they are not.
 */
export function writingExports(dependencies: WriteExportDependencies): JobKind<Payload> {
  const turns = new FairQueue({ name: 'exports', limits: oneAtATime(1_000) })
  return {
    attemptsMax: ATTEMPTS_MAX,
    handler: async (job) => {
      const wanted = await find(dependencies.database, job.payload.export)
      if (!wanted) return remove(dependencies, job.payload.export)
      const share = systemShare(pathOf(wanted), 'export')
      return turns.run(share, () => write(dependencies, job, share))
    },
    givenUp: async ({ payload }) => {
      if (payload.export === undefined) return
      await remove(dependencies, payload.export)
      await dependencies.database.query(
        `update contact_export set status = 'failed', updated_at = $2, version = version + 1
         where id = $1 and status = 'pending'`,
        [payload.export, dependencies.clock.now()],
      )
    },
  }
}

async function write(
  dependencies: WriteExportDependencies,
  job: Job<Payload>,
  share: Share,
): Promise<typeof ENDED | void> {
  const { database, store, folders, systemContext } = dependencies
  const { export: id } = job.payload
  const folder = folders.of(id)
  // What an earlier attempt has left.
  await folder.clear()
  try {
    const wanted = await begin(database, id)
    const since = dependencies.clock.now()
    const reader = new ContactReader({
      sql: database.readsOf(share),
      system: () => systemContext(job.id),
      contact: wanted.contact,
      notes: wanted.notes,
      pace: paceOf(dependencies, id),
    })
    const { contents, file } = await writeZip(dependencies, { job, reader, folder, share })
    await store.keep(id, file)
    await finish(dependencies, job, { wanted, contents, file, since })
    return ENDED
  } catch (error) {
    if (!(error instanceof NotWanted)) throw error
    return remove(dependencies, id)
  } finally {
    await folder.clear()
  }
}

/** Writes the ZIP while it is received on the disk: neither is ahead of the other. */
async function writeZip(
  { clock, database, store }: WriteExportDependencies,
  given: { job: Job<Payload>; reader: ContactReader; folder: ExportFolder; share: Share },
): Promise<{ contents: Contents; file: ReceivedFile }> {
  const { job, reader, folder, share } = given
  const facts = await reader.facts()
  if (!facts) throw new NotWanted()
  const at = clock.now()
  const zip = new ZipWriter(at)
  const written = writeContents({
    ...{ zip, reader, facts, sql: database, at },
    read: (id, size) => store.read(id, size),
    isLastTry: job.failures >= LAST_TRIES,
  })
  const received = folder.receive(zip.output, share, ZIP)
  let cause: unknown
  const abort = (error: Error): never => {
    cause ??= error
    zip.abort(error)
    throw error
  }
  const [contents, file] = await Promise.all([written.catch(abort), received.catch(abort)]).catch(() => {
    throw cause
  })
  return { contents, file }
}

/**
 * Records that the bytes are there, unless something in them was deleted since they were read: who deletes has told it by now, or
 * finds what is recorded here, see `endExportsWith`. A merge renumbers the messages that are read by their numbers.
 */
async function finish(
  { clock, database, store }: WriteExportDependencies,
  job: Job<Payload>,
  { wanted, contents, file, since }: { wanted: Wanted; contents: Contents; file: ReceivedFile; since: Date },
): Promise<void> {
  const { conversations, conversationCount, messages, notes, files } = contents
  const expiresAt = new Date(clock.now().getTime() + KEPT_MS)
  const isKept = await database.sqlTransaction(async (sql) => {
    const rows = await sql.query<{ records: string[] }>(
      `select records from contact_export where id = $1 and status = 'pending' for update`,
      [wanted.id],
    )
    if (rows.length === 0) return false
    const held = new Set([...conversations, ...notes, ...files])
    if (rows[0]!.records.some((id) => held.has(id)))
      throw new RetryLater('something that it has was deleted: it begins anew', AGAIN_MS)
    const merged = await sql.query(
      'select 1 from conversation_merge where target_id = any($1::uuid[]) and created_at >= $2 limit 1',
      [conversations, since],
    )
    if (merged.length > 0)
      throw new RetryLater('another conversation was merged into one that it has: it begins anew', AGAIN_MS)
    await sql.query(
      `update contact_export set status = 'ready', conversations = $2, messages = $3, files = $4, size = $5, sha256 = $6,
         expires_at = $7, records = $8, updated_at = $9, version = version + 1 where id = $1`,
      [
        ...[wanted.id, conversationCount, messages, files.length, file.size, file.sha256, expiresAt],
        ...[JSON.stringify([...held]), clock.now()],
      ],
    )
    const end = EXPORT_END.create({ exports: [wanted.id] }, { runAt: expiresAt, key: `contactExport:${wanted.id}` })
    await addJobs(sql, [end], clock)
    await finishJob(sql, job)
    return true
  })
  if (!isKept) await store.remove(wanted.id)
}

/** Removes what there may be of an export that is gone, or not pending; what is ready stays. */
async function remove({ database, store, folders }: WriteExportDependencies, id: string): Promise<void> {
  const ready = await database.query(`select 1 from contact_export where id = any($1::uuid[]) and status = 'ready'`, [
    [id],
  ])
  await folders.of(id).clear()
  if (ready.length === 0) await store.remove(id)
}

/** Forgets what earlier attempts were told of. */
async function begin(sql: Sql, id: string): Promise<Wanted> {
  await sql.query(`update contact_export set records = '[]' where id = $1 and status = 'pending'`, [id])
  const wanted = await find(sql, id)
  if (!wanted) throw new NotWanted()
  return wanted
}

async function find(sql: Sql, id: string): Promise<Wanted | null> {
  const [found] = await sql.query<Wanted>(
    `select t.id, t.contact_id as contact, t.notes, t.organization_id as "organizationId", t.org1, t.org2, t.org3
     from contact_export t join contact c on c.id = t.contact_id
     where t.id = $1 and t.status = 'pending' and c.erasing_at is null`,
    [id],
  )
  return found ?? null
}

/** Returns what rests between two pages, and ends an export that is not wanted any more. */
function paceOf({ database, isBehind }: WriteExportDependencies, id: string): () => Promise<void> {
  let [restedAt, lookedAt] = [performance.now(), performance.now()]
  return async () => {
    const worked = performance.now() - restedAt
    await sleep(isBehind() ? BEHIND_REST_MS : Math.min(worked, REST_MS_MAX))
    if (performance.now() - lookedAt > LOOK_MS) {
      if (!(await find(database, id))) throw new NotWanted()
      lookedAt = performance.now()
    }
    restedAt = performance.now()
  }
}
