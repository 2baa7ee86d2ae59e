import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { isPlainObject } from '../../platform/json.js'
import { copyPlain, FOLDER_OF_OWNER, OWNER_ONLY, requirePlain } from './plain-files.js'
import type { Contents, Source } from './source.js'

const FORMAT = 1

interface Manifest extends Contents {
  format: number
  createdAt: string
  /** True if the folder includes attachments; those in a bucket stay there. */
  hasAttachments: boolean
}

/**
 * Writes the contents of a database, and attachments stored on disk, to a new folder. It is renamed when complete, so
 * that the remains of a killed backup are not mistaken for one.
 * @param options.attachments folder of the attachments; null when they are in a bucket or there are none
 */
export async function writeBackup(
  folder: string,
  { contents, read }: Source,
  options: { attachments: string | null; now: Date },
): Promise<void> {
  await requireAbsent(folder)
  if (options.attachments) await requirePlain(options.attachments, 'nothing was backed up')
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'tables'), { recursive: true, mode: FOLDER_OF_OWNER })
  for (const table of contents.tables) {
    await pipeline(
      await read(table),
      createGzip({ level: 6 }),
      createWriteStream(tableFile(partial, table.name), { mode: OWNER_ONLY }),
    )
  }
  if (options.attachments) await copyPlain(options.attachments, join(partial, 'attachments'), { isInUse: true })
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: options.now.toISOString(),
    hasAttachments: options.attachments !== null,
    ...contents,
  }
  await writeFile(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
    flush: true,
    mode: OWNER_ONLY,
  })
  await rename(partial, folder)
}

/** @throws Error when the folder is not a complete backup in a supported format, or has links or special files */
export async function openBackup(folder: string): Promise<Source & { attachments: string | null; createdAt: string }> {
  await requirePart(folder, 'manifest.json')
  await requirePlain(folder, 'nothing was changed')
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  if (!isPlainObject(manifest) || manifest.format !== FORMAT) {
    throw new Error(
      `${folder} has a backup of format ${String(isPlainObject(manifest) && manifest.format)}, and this release reads ${FORMAT}: ` +
        'restore it with the release that made it; nothing was changed',
    )
  }
  const { hasAttachments, createdAt, migrations, tables, sequences, keys } = manifest as Record<string, unknown> &
    Manifest
  if (hasAttachments) await requirePart(folder, 'attachments')
  return {
    contents: { migrations, tables, sequences, keys },
    read: ({ name }) => Promise.resolve(createReadStream(tableFile(folder, name)).pipe(createGunzip())),
    attachments: hasAttachments ? join(folder, 'attachments') : null,
    createdAt,
  }
}

async function requirePart(folder: string, name: string): Promise<void> {
  await access(join(folder, name)).catch((error: Error) => {
    throw new Error(`${folder} is not a complete backup: it has no ${name}`, { cause: error })
  })
}

function tableFile(folder: string, name: string): string {
  return join(folder, 'tables', `${name}.gz`)
}

async function requireAbsent(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: false }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST')
        throw new Error(`${folder} exists: nothing was written; name a new folder`, { cause: error })
      throw new Error(`${folder} cannot be created (${error.code})`, { cause: error })
    },
  )
  if (made) await rm(folder, { recursive: true })
}
