import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = 'dist/docs'

/** Makes the pages that a server serves, where `npm run build` has not: those of the console and the widget, and the documentation. */
export function buildPages(): void {
  execFileSync(process.execPath, ['web/build.mjs'])
  if (existsSync(join(DOCS, 'index.html'))) return
  const made = mkdtempSync('dist/docs-')
  execFileSync(process.execPath, ['docs/site/build.mjs', made])
  try {
    renameSync(made, DOCS)
  } catch {
    // Another suite was first.
    rmSync(made, { recursive: true })
  }
}
