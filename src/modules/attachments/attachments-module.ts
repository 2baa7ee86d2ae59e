import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { serverSecret } from '../auth/server-secret.js'
import type { Config } from '../../platform/config.js'
import { prepareDataDir } from '../../platform/data-dir.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { DISK_LIMITS, openShares } from '../../platform/fairness/shares.js'
import type { GuestLimits } from '../../platform/limits/guest-limits.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { registerAttachmentJobs } from './attachment-jobs.js'
import { AttachmentLinks } from './attachment-links.js'
import { addAttachmentRoutes } from './attachment-routes.js'
import { DiskStore, type AttachmentStore } from './attachment-store.js'
import { AttachmentsResolver } from './attachments-resolver.js'
import { parseS3Url, S3Store } from './s3-store.js'
import { UploadDisk } from './upload-disk.js'
import { UploadSpool } from './upload-spool.js'

/** Parts shared by uploads, downloads, files and touchpoints. */
export interface AttachmentParts {
  store: AttachmentStore
  spool: UploadSpool
  links: AttachmentLinks
  /** Folder of what is received, and of the files themselves unless they are in a bucket; and what paces writes to its disk. */
  directory: string
  disk: UploadDisk
}

export interface AttachmentsDependencies {
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'attachmentBytesMax' | 'attachmentLinkDays' | 's3Url'>
  clock: Clock
  log: Logger
  metrics: Metrics
  database: Database
  jobs: JobRunner
  transact: Transact
  sealer: Sealer
  guestLimits: GuestLimits
}

/** Builds the module, registers its jobs, and removes the remains of uploads that were interrupted by a crash. */
export async function openAttachmentsModule(
  dependencies: AttachmentsDependencies,
): Promise<Module & { attachments: AttachmentParts }> {
  const { config, database, guestLimits, jobs, transact } = dependencies
  const attachments = await openParts(dependencies)
  const { links, store } = attachments
  registerAttachmentJobs({ jobs, sql: database, store })
  const { attachmentBytesMax: bytesMax } = config
  return {
    attachments,
    resolvers: [new AttachmentsResolver({ transact, links })],
    addRoutes: (http) =>
      addAttachmentRoutes(http.fastify, { ...http, ...attachments, transact, database, guestLimits, bytesMax }),
  }
}

/** Half of the disk's time is left to the database. */
const DISK_PAUSE = { factor: 1, msMax: 100 }

async function openParts({
  config,
  clock,
  database,
  log,
  metrics,
  sealer,
}: AttachmentsDependencies): Promise<AttachmentParts> {
  // Uploads are received there, whatever they are stored in.
  await prepareDataDir(config.dataDir)
  const directory = join(config.dataDir, 'attachments')
  const disk = new UploadDisk(openShares('disk_writes', DISK_LIMITS, metrics, { pause: DISK_PAUSE }))
  // Within the disk store's directory: storing a file is a rename, which cannot cross file systems.
  const spool = new UploadSpool(join(directory, 'incoming'), config.attachmentBytesMax, disk)
  await spool.sweep()
  const { publicUrl, attachmentLinkDays: days, s3Url } = config
  const store = s3Url ? new S3Store({ bucket: parseS3Url(s3Url), clock, log }) : new DiskStore(directory)
  const secret = await serverSecret(database, sealer, 'attachments')
  return { directory, disk, spool, store, links: new AttachmentLinks({ secret, days, publicUrl, clock }) }
}
