import { constants, type Dirent } from 'node:fs'
import { mkdir, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** A backup holds everybody's messages, also where its folder is copied without its rights. */
export const OWNER_ONLY = 0o600
export const FOLDER_OF_OWNER = 0o700

/** As many are named in an error. */
const NAMED_MAX = 20
/** Opening neither follows a link nor waits for the other end of a pipe, if one has taken the file's place. Windows has no such flags. */
const PLAINLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Refuses a folder in which anything, at any depth, is neither a folder nor a file: the bytes behind a link would be taken for
 * those of a file, and a pipe is never read to its end. The folder itself may be a link: its user names it.
 * @param outcome said at the end of the error, such as `nothing was changed`
 * @throws Error with the path of each, and what it is
 */
export async function requirePlain(folder: string, outcome: string): Promise<void> {
  const refused: string[] = []
  let count = 0
  for await (const { entry, path } of entriesOf(folder)) {
    if (isPlain(entry)) continue
    count += 1
    if (count <= NAMED_MAX) refused.push(`${join(folder, path)} is ${kindOf(entry)}`)
  }
  if (count === 0) return
  const more = count > NAMED_MAX ? `, and ${count - NAMED_MAX} more` : ''
  throw new Error(`${refused.join(', ')}${more}: only folders and files are taken; ${outcome}`)
}

/**
 * Copies a folder of folders and files, whose copies only their owner reads. Replaces nothing.
 * @param options.isInUse leaves out files that go meanwhile: of a running server, uploads that end and attachments that are erased
 * @throws Error at the first link or special file
 */
export async function copyPlain(from: string, to: string, { isInUse = false } = {}): Promise<void> {
  await mkdir(to, { recursive: true, mode: FOLDER_OF_OWNER })
  for await (const { entry, path } of entriesOf(from)) {
    const [source, target] = [join(from, path), join(to, path)]
    if (!isPlain(entry)) throw new Error(`${source} is ${kindOf(entry)}: only folders and files are copied`)
    if (entry.isDirectory()) await mkdir(target, { mode: FOLDER_OF_OWNER })
    else await copyFile(source, target, isInUse)
  }
}

async function copyFile(source: string, target: string, mayBeGone: boolean): Promise<void> {
  const file = await open(source, PLAINLY).catch((error: NodeJS.ErrnoException) => {
    if (mayBeGone && error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${source} is no file any more`)
    const copy = await open(target, 'wx', OWNER_ONLY)
    await pipeline(file.createReadStream({ autoClose: false }), copy.createWriteStream())
  } finally {
    await file.close()
  }
}

/** Goes through a folder, each folder before what it has. Links are not followed. */
async function* entriesOf(folder: string, inside = ''): AsyncGenerator<{ entry: Dirent; path: string }> {
  for await (const entry of await opendir(join(folder, inside))) {
    const path = join(inside, entry.name)
    yield { entry, path }
    if (entry.isDirectory()) yield* entriesOf(folder, path)
  }
}

function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory()
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return 'a symbolic link'
  if (entry.isFIFO()) return 'a pipe'
  if (entry.isSocket()) return 'a socket'
  return 'a device'
}
