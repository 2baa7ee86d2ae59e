import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes `DATA_DIR` where it is not there. @throws Error that says what to do when it cannot be made or written */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const fail = (what: string, error: NodeJS.ErrnoException): never => {
    const reason = `DATA_DIR ${dataDir} cannot be ${what} (${error.code}): choose a folder that this user may write`
    throw new Error(reason, { cause: error })
  }
  await makeFolder(dataDir).catch((error: NodeJS.ErrnoException) => fail('made', error))
  await access(dataDir, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => fail('written', error))
}

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns where the system denies that an existing
 * parent exists, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || (await stat(dirname(path)).catch(() => null))) throw error
    await makeFolder(dirname(path))
    await makeFolder(path)
  }
}
