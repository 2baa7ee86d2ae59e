import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import type { Clock } from '../db/clock.js'
import { AttachmentLinks } from './attachment-links.js'
import { DiskStore, type AttachmentStore } from './attachment-store.js'
import { parseS3Url, S3Store } from './s3-store.js'
import { UploadSpool } from './upload-spool.js'

/** Parts shared by uploads, downloads and the resolvers of attachments. */
export interface AttachmentsModule {
  store: AttachmentStore
  spool: UploadSpool
  links: AttachmentLinks
}

export interface AttachmentsModuleOptions {
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'attachmentBytesMax' | 'attachmentLinkDays' | 's3Url'>
  clock: Clock
  log: Logger
  /** Secret of the installation that signs the links. */
  secret: Uint8Array
}

/** Builds the module and removes the remains of uploads that were interrupted when a process died. */
export async function openAttachmentsModule(options: AttachmentsModuleOptions): Promise<AttachmentsModule> {
  const { config, clock, log, secret } = options
  const directory = join(config.dataDir, 'attachments')
  // Within the disk store's directory: storing a file is a rename, which cannot cross file systems.
  const spool = new UploadSpool(join(directory, 'incoming'), config.attachmentBytesMax)
  await spool.sweep()
  const { publicUrl, attachmentLinkDays: days, s3Url } = config
  const store = s3Url ? new S3Store({ bucket: parseS3Url(s3Url), clock, log }) : new DiskStore(directory)
  return { spool, store, links: new AttachmentLinks({ secret, days, publicUrl, clock }) }
}
