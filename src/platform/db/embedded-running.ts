import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterDirOf, readPassword } from './embedded-cluster.js'

/**
 * Returns the URL of the embedded PostgreSQL that a running server keeps in `dataDir`, null when there is none. The
 * server may have died without removing its files: only a connection attempt can show it.
 */
export async function urlOfRunning(dataDir: string): Promise<string | null> {
  const dir = clusterDirOf(dataDir)
  // Lines: process, data directory, start, port, socket directory, address.
  const lines = (await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const port = Number(lines[3])
  if (!port) return null
  const host = lines[4]?.trim() ? encodeURIComponent(dir) : '127.0.0.1'
  return `postgresql://switchboard:${await readPassword(dir)}@${host}:${port}/switchboard`
}
