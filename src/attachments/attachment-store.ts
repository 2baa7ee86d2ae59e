import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ReceivedFile } from './upload-spool.js'

/** Where the bytes of attachments are kept, by the attachment's id. */
export interface AttachmentStore {
  /** Takes the file over, whole or not at all; it may be gone from where it was. */
  keep(id: string, file: ReceivedFile): Promise<void>
  /** @throws Error when there are no such bytes: the record says that there are */
  read(id: string): Promise<Readable>
  /** What is not there is removed already. */
  remove(id: string): Promise<void>
}

/** Files below one directory, which the nodes of an installation share. */
export class DiskStore implements AttachmentStore {
  constructor(private readonly directory: string) {}

  async keep(id: string, { path }: ReceivedFile): Promise<void> {
    const target = this.#pathOf(id)
    await mkdir(dirname(target), { recursive: true })
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

  /** 256 directories: the last digits of an id are random, its first ones are the time. */
  #pathOf(id: string): string {
    return join(this.directory, id.slice(-2), id)
  }
}

/** Makes a rename outlive a power cut; where directories cannot be opened (Windows) it is left to the system. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path).catch(() => null)
  try {
    await directory?.sync()
  } catch {
    // Not every file system syncs directories.
  } finally {
    await directory?.close()
  }
}
