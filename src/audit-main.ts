import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { verifyExport } from './modules/audit/verify-export.js'

const USAGE = `usage: npm run audit:verify -- ENTRIES SEALS KEYS
  ENTRIES  lines of \`GET /v2/audit\`, one after the other from the first entry on
  SEALS    a line each: \`data.audit.seal\` of the webhook event audit.sealed, or \`seal\` of the server's log
  KEYS     what \`GET /.well-known/jwks.json\` answered when you began to keep seals`

/** Runs `npm run audit:verify`: verifies an exported audit log without a server. */
async function main([entries, seals, keys]: readonly string[]): Promise<string> {
  if (entries === undefined || seals === undefined || keys === undefined) throw new Error(USAGE)
  const lines = createInterface({ input: createReadStream(entries), crlfDelay: Infinity })
  return verifyExport(lines, { seals: await readFile(seals, 'utf8'), keys: await readFile(keys, 'utf8') })
}

main(process.argv.slice(2)).then(
  (message) => process.stdout.write(`${message}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
