import type { Readable } from 'node:stream'
import type { ContactReader } from './contact-reader.js'
import type { ExportedFile } from './exported-files.js'
import type { ZipWriter } from './zip-writer.js'

/** Reads the bytes of an attachment. @throws Error when they are missing, or cannot be read now */
export type ReadBytes = (id: string, size: number) => Promise<Readable>

export interface FilesOptions {
  zip: ZipWriter
  reader: ContactReader
  read: ReadBytes
  /** True if bytes that cannot be read are said to be missing, in place of another attempt. */
  isLastTry: boolean
}

export interface WrittenAttachment {
  file: ExportedFile
  /** True if there are no bytes of it. */
  isMissing: boolean
  /** True if its bytes are those that were stored. */
  isWhole: boolean
}

/**
 * Writes the attachments, one after another, as they are: most are compressed. One whose bytes are gone is named as missing, and
 * so is one that cannot be read at the last try: an export is not refused for it.
 */
export async function writeFiles(options: FilesOptions, files: readonly ExportedFile[]): Promise<WrittenAttachment[]> {
  const written: WrittenAttachment[] = []
  for (const file of files) {
    await options.reader.options.pace()
    written.push(await writeFile(options, file))
  }
  return written
}

async function writeFile({ zip, read, isLastTry }: FilesOptions, file: ExportedFile): Promise<WrittenAttachment> {
  const bytes = await read(file.id, file.size).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || isLastTry) return null
    throw error
  })
  if (!bytes) return { file, isMissing: true, isWhole: false }
  async function* kept(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of bytes!) yield chunk as Buffer
    } catch (error) {
      // What came of it is kept.
      if (!isLastTry) throw error
    }
  }
  const { sha256 } = await zip.add(file.path, kept(), { compress: false })
  return { file, isMissing: false, isWhole: sha256 === file.sha256 }
}
