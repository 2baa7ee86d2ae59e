import type { Attachment } from '../../attachments/attachment.js'
import { safeFileName } from '../../attachments/file-name.js'

/** Length of a name that any file system takes, with the number before it. */
const NAME_BYTES_MAX = 120

type Kept = Pick<Attachment, 'id' | 'fileName' | 'fileType' | 'size' | 'sha256'>

/** An attachment, and its path in the ZIP. */
export interface ExportedFile extends Kept {
  path: string
}

/** The attachments of an export. Each has a number in its name, so that no two are of one name, and none is a device's. */
export class ExportedFiles {
  readonly #byId = new Map<string, ExportedFile>()

  /** Takes note of an attachment; the same one again has the same path. */
  of({ id, fileName, fileType, size, sha256 }: Kept): ExportedFile {
    const known = this.#byId.get(id)
    if (known) return known
    const number = String(this.#byId.size + 1).padStart(4, '0')
    const path = `files/${number}-${short(safeFileName(fileName, fileType))}`
    const file = { id, fileName, fileType, size, sha256, path }
    this.#byId.set(id, file)
    return file
  }

  all(): ExportedFile[] {
    return [...this.#byId.values()]
  }
}

/** Shortens a name, but not its extension. */
function short(name: string): string {
  const dot = name.lastIndexOf('.')
  let [stem, bytes] = ['', Buffer.byteLength(name.slice(dot))]
  for (const character of name.slice(0, dot)) {
    bytes += Buffer.byteLength(character)
    if (bytes > NAME_BYTES_MAX) break
    stem += character
  }
  return stem + name.slice(dot)
}
