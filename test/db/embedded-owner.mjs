// A process that owns an embedded PostgreSQL, for tests that kill it. Prints one JSON line, { url } or { error }, and
// stops when its input ends.
// node embedded-owner.mjs <source root> <data dir> [<uid> <gid>]
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [root, dataDir, uid, gid] = process.argv.slice(2)

// Node strips the types itself; only the `.js` of our imports has to lead to the `.ts` file.
registerHooks({
  resolve(specifier, context, next) {
    const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts')
    return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context)
  },
})

if (uid) {
  process.setgroups([])
  process.setgid(Number(gid))
  process.setuid(Number(uid))
}
try {
  const { startEmbeddedPostgres } = await import(pathToFileURL(join(root, 'src/platform/db/embedded-postgres.ts')).href)
  const warn = (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn } })
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
  process.stdin.resume().once('end', () => void server.stop())
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`)
}
