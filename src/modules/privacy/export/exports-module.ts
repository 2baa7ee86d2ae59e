import type { Config } from '../../../platform/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { Transact } from '../../../platform/events/transact.js'
import type { JobRunner } from '../../../platform/jobs/job-runner.js'
import type { Module } from '../../../platform/module.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { UploadDisk } from '../../attachments/upload-disk.js'
import { serverSecret } from '../../auth/server-secret.js'
import { ContactExportsResolver } from './contact-exports-resolver.js'
import { EXPORT_END, endingExports } from './end-exports.js'
import { ExportFolders } from './export-folders.js'
import { ExportLinks } from './export-links.js'
import { addExportRoutes } from './export-routes.js'
import { EXPORT_WRITE } from './request-export.js'
import { writingExports, type WriteExportDependencies } from './write-export.js'

export interface ExportsDependencies extends Omit<WriteExportDependencies, 'folders' | 'isBehind'> {
  config: Pick<Config, 'publicUrl'>
  jobs: JobRunner
  sealer: Sealer
  transact: Transact
  /** Folder of the attachments, and what paces writes to its disk. */
  directory: string
  disk: UploadDisk
}

/** Builds the export of contacts, registers its jobs, and removes what processes that died have left of exports. */
export async function openExports(
  dependencies: ExportsDependencies,
): Promise<Required<Pick<Module, 'addRoutes' | 'start'>> & { resolver: ContactExportsResolver }> {
  const { clock, config, database, directory, disk, jobs, sealer, store, transact } = dependencies
  const folders = new ExportFolders(directory, disk)
  jobs.register(EXPORT_WRITE, writingExports({ ...dependencies, folders, isBehind: () => jobs.isBehind }))
  jobs.register(EXPORT_END, endingExports({ clock, database, store, folders }))
  const secret = await serverSecret(database, sealer, 'exports')
  const links = new ExportLinks({ secret, publicUrl: config.publicUrl, clock })
  return {
    resolver: new ContactExportsResolver({ transact, links }),
    addRoutes: (http) => addExportRoutes(http, { database, store, links }),
    start: () => sweep(database, folders),
  }
}

/** Those that are pending are removed by their own jobs, which may be running. */
async function sweep(database: Database, folders: ExportFolders): Promise<void> {
  const there = await folders.list()
  const rows = await database.query<{ id: string }>(
    `select id from contact_export where id::text = any($1::text[]) and status = 'pending'`,
    [there],
  )
  const pending = new Set(rows.map(({ id }) => id))
  for (const id of there) if (!pending.has(id)) await folders.of(id).clear()
}
