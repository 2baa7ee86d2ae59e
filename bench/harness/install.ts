import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Installs the only package that a directory's lock file is about, unless it is there: what one benchmark needs, and
 * nothing else. @returns its version
 */
export async function installPackage(directory: string, name: string): Promise<string> {
  const { dependencies } = (await readJson(directory, 'package.json')) as { dependencies: Record<string, string> }
  const wanted = dependencies[name]!
  const installed = await readJson(directory, 'node_modules', name, 'package.json').catch(() => null)
  if ((installed as { version: string } | null)?.version !== wanted) {
    const npm = process.env.npm_execpath
    if (!npm) throw new Error('npm_execpath is not set: the bench is run by `npm run bench`')
    process.stdout.write(`installing ${name} ${wanted} into ${directory}\n\n`)
    await promisify(execFile)(process.execPath, [npm, 'ci', '--omit=dev', '--ignore-scripts'], { cwd: directory })
  }
  return wanted
}

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), 'utf8'))
}
