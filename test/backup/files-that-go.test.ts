import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyPlain } from '../../src/app/backup/plain-files.js'
import { until } from '../support/until.js'

let folder: string
let from: string
let to: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-'))
  ;[from, to] = [join(folder, 'from'), join(folder, 'to')]
  await mkdir(join(from, 'incoming'), { recursive: true })
  // Large, so that the copy of one takes longer than it takes to remove the others.
  for (const name of ['1.part', '2.part', '3.part', '4.part', '5.part', '6.part']) {
    await writeFile(join(from, 'incoming', name), '')
    await truncate(join(from, 'incoming', name), 16 * 1024 ** 2)
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Removes all files but the first one copied, while that is being copied. @returns the name of that */
async function removeOthers(): Promise<string> {
  const incoming = join(to, 'incoming')
  const [first] = await until(
    () => readdir(incoming).catch(() => []),
    (names) => names.length > 0,
  )
  for (const name of await readdir(join(from, 'incoming'))) if (name !== first) await rm(join(from, 'incoming', name))
  return first!
}

it('a copy of what a server uses leaves out uploads that end meanwhile', async () => {
  const [, first] = await Promise.all([copyPlain(from, to, { isInUse: true }), removeOthers()])
  expect(await readdir(join(to, 'incoming'))).toContain(first)
})
