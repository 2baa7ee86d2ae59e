import { expect, it } from '@jest/globals'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { writeBackup } from '../../src/app/backup/backup-folder.js'
import type { Source } from '../../src/app/backup/source.js'

it('a backup is read by its owner only, whatever the umask', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'backup-rights-'))
  const umask = process.umask(0)
  try {
    const table = { name: 'message', columns: ['id'], rows: 1 }
    const source = {
      contents: { migrations: [], tables: [table], sequences: [] },
      read: () => Promise.resolve(Readable.from([Buffer.from('a row\n')])),
    } as unknown as Source
    const folder = join(parent, 'backup')
    const attachments = join(parent, 'attachments')
    await mkdir(join(attachments, '0a'), { recursive: true })
    await writeFile(join(attachments, '0a', 'file'), 'bytes')
    await writeBackup(folder, source, { attachments, now: new Date(0) })
    const names = ['.', ...(await readdir(folder, { recursive: true }))]
    expect(names.toSorted()).toEqual([
      '.',
      'attachments',
      'attachments/0a',
      'attachments/0a/file',
      'manifest.json',
      'tables',
      'tables/message.gz',
    ])
    for (const name of names) {
      const { mode } = await stat(join(folder, name))
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, '0'])
    }
  } finally {
    process.umask(umask)
    await rm(parent, { recursive: true, force: true })
  }
})
