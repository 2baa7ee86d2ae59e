import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../../platform/data-dir.js'
import type { ReceivedFile } from './upload-spool.js'

/** Stores the bytes of attachments by the attachment's id. */
export interface AttachmentStore {
  /** Takes ownership of the file, completely or not at all; it may be moved away. */
  keep(id: string, file: ReceivedFile): Promise<void>
  /**
   * @param size of the record: never more are read, and a stream with fewer fails
   * @throws Error when the bytes are missing, since the record implies them
   */
  read(id: string, size: number): Promise<Readable>
  /** Missing bytes count as removed. */
  remove(id: string): Promise<void>
}

/** Stores files below one directory, which the nodes of an installation share. */
export class DiskStore implements AttachmentStore {
  constructor(private readonly directory: string) {}

  async keep(id: string, { path }: ReceivedFile): Promise<void> {
    const target = this.#pathOf(id)
    await makeFolder(dirname(target))
    await rename(path, target)
    await syncDirectory(dirname(target))
  }

  async read(id: string): Promise<Readable> {
    const file = await open(this.#pathOf(id))
    return file.createReadStream()
  }

  async remove(id: string): Promise<void> {
    await rm(this.#pathOf(id), { force: true })
  }

  /** Uses 256 directories by the last digits of the id, which are random; the first ones are the time. */
  #pathOf(id: string): string {
    return join(this.directory, id.slice(-2), id)
  }
}

/** Makes a rename survive a power failure; where directories cannot be opened (Windows) it is left to the system. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path).catch(() => null)
  try {
    await directory?.sync()
  } catch {
    // Not every file system can sync directories.
  } finally {
    await directory?.close()
  }
}
