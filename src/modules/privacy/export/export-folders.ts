import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadDisk } from '../../attachments/upload-disk.js'
import { UploadSpool } from '../../attachments/upload-spool.js'

/** Folder of the files of one export that are being written, also those that a dead process has left. */
export interface ExportFolder extends Pick<UploadSpool, 'receive'> {
  /** Removes the folder with all that is in it. */
  clear(): Promise<void>
}

/** Folders in which exports are written, within that of attachments: storing a file is a rename. */
export class ExportFolders {
  readonly #directory: string

  constructor(
    attachments: string,
    private readonly disk: UploadDisk,
  ) {
    this.#directory = join(attachments, 'exports')
  }

  of(id: string): ExportFolder {
    const path = join(this.#directory, id)
    const spool = new UploadSpool(path, Infinity, this.disk)
    return {
      receive: (...given) => spool.receive(...given),
      clear: () => rm(path, { recursive: true, force: true }),
    }
  }

  /** Names the exports of which there is a folder. */
  list(): Promise<string[]> {
    return readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }
}
