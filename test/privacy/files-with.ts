import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the paths of files below a folder that contain one of the words, in their bytes or their path. */
export async function filesWith(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    if (words.some((word) => path.includes(word) || bytes.includes(word))) found.push(path)
  }
  return found
}
