import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../support/until.js'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'

export interface ShownExport {
  id: string
  contactId: string
  status: 'PENDING' | 'READY' | 'FAILED' | 'EXPIRED'
  notes: boolean
  conversations: number
  messages: number
  files: number
  size: number | null
  sha256: string | null
  url: string | null
  createdAt: string
  expiresAt: string | null
  requestedBy: { id: string } | null
}

export const SHOWN = `id contactId status notes conversations messages files size sha256 url createdAt expiresAt requestedBy { id }`
const EXPORT = `mutation ($id: ID!, $notes: Boolean) { exportContact(id: $id, notes: $notes) { ${SHOWN} } }`

/** Asks for exports, and downloads them, as clients do. */
export class Exports {
  constructor(private readonly app: TestServer) {}

  async ask(as: MadeUser | string, id: string, notes?: boolean): Promise<ShownExport> {
    const { data, errors } = await this.app.gql(as, EXPORT, { id, notes })
    if (errors) throw new Error(JSON.stringify(errors))
    return data.exportContact as ShownExport
  }

  async show(as: MadeUser | string, id: string): Promise<ShownExport | null> {
    const { data } = await this.app.gql(as, `query ($id: ID!) { contactExport(id: $id) { ${SHOWN} } }`, { id })
    return data.contactExport as ShownExport | null
  }

  /** Waits until it is not pending any more. */
  ended(as: MadeUser | string, id: string): Promise<ShownExport> {
    return until(
      async () => {
        // Not what one of the next attempts repairs.
        const failed = await this.app.server.database.query(
          `select kind, last_error from job where kind like 'contactExport.%' and failures > 5 and run_at < 'infinity'`,
        )
        if (failed.length > 0) throw new Error(JSON.stringify(failed))
        return (await this.show(as, id))!
      },
      ({ status }) => status !== 'PENDING',
    )
  }

  async made(as: MadeUser | string, contact: string, notes?: boolean): Promise<ShownExport> {
    return this.ended(as, (await this.ask(as, contact, notes)).id)
  }

  /** Requests a link, at the address that the test's server has. */
  fetch(url: string, init?: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(url)
    return fetch(this.app.url + pathname + search, init)
  }

  /** The files of an export by their paths, as another program takes them out. */
  async opened(as: MadeUser | string, contact: string, notes?: boolean): Promise<OpenedZip> {
    const { url, status } = await this.made(as, contact, notes)
    if (status !== 'READY') throw new Error(`the export is ${status}`)
    const response = await this.fetch(url!)
    if (response.status !== 200) throw new Error(await response.text())
    return openZip(Buffer.from(await response.arrayBuffer()))
  }
}

export interface OpenedZip {
  names: string[]
  files: Map<string, Buffer>
  text(path: string): string
  // The tests state what they expect of it.
  json(path: string): any // oxlint-disable-line typescript/no-explicit-any
}

const UNZIP = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
bad = archive.testzip()
assert bad is None, bad
archive.extractall(sys.argv[2])
print(json.dumps(archive.namelist()))`

/** Takes the files out of a ZIP with Python's own library, which checks each. @throws Error when it is none */
export async function openZip(bytes: Buffer): Promise<OpenedZip> {
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  try {
    const [archive, to] = [join(folder, 'export.zip'), join(folder, 'files')]
    await writeFile(archive, bytes)
    const { stdout } = await promisify(execFile)('python3', ['-c', UNZIP, archive, to], { maxBuffer: 1e8 })
    const files = new Map<string, Buffer>()
    for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) files.set(relative(to, path), await readFile(path))
    }
    const text = (path: string): string => {
      const found = files.get(path)
      if (!found) throw new Error(`no ${path} among ${[...files.keys()].join(', ')}`)
      return found.toString('utf8')
    }
    return { names: JSON.parse(stdout) as string[], files, text, json: (path) => JSON.parse(text(path)) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Paths of all files below a folder, those that are being written included. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
