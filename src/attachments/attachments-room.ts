import { join } from 'node:path'
import type { Config } from '../config.js'
import type { Clock } from '../db/clock.js'
import { AttachmentLinks } from './attachment-links.js'
import { DiskStore, type AttachmentStore } from './attachment-store.js'
import { UploadSpool } from './upload-spool.js'

/** What uploads, downloads and the resolvers of attachments share. */
export interface AttachmentsRoom {
  store: AttachmentStore
  spool: UploadSpool
  links: AttachmentLinks
}

export interface AttachmentsRoomOptions {
  config: Pick<Config, 'dataDir' | 'publicUrl' | 'attachmentBytesMax' | 'attachmentLinkDays'>
  clock: Clock
  /** Signs the links; of the installation. */
  secret: Uint8Array
}

/** Builds the room and clears away what uploads left behind when a process died. */
export async function openAttachmentsRoom({ config, clock, secret }: AttachmentsRoomOptions): Promise<AttachmentsRoom> {
  const directory = join(config.dataDir, 'attachments')
  // Within the store's directory: keeping a file is a rename, which does not cross file systems.
  const spool = new UploadSpool(join(directory, 'incoming'), config.attachmentBytesMax)
  await spool.sweep()
  const { publicUrl, attachmentLinkDays: days } = config
  return { spool, store: new DiskStore(directory), links: new AttachmentLinks({ secret, days, publicUrl, clock }) }
}
