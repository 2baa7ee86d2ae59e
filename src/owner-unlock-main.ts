import pino from 'pino'
import { unlockOwner } from './app/center/unlock-owner.js'
import { readConfig } from './platform/config.js'

const log = pino({ level: 'warn' }, pino.destination(2))

/** Runs `npm run owner:unlock`, with the settings of the server. */
unlockOwner(readConfig(), log, process.argv.slice(2)).then(
  (message) => {
    process.stdout.write(`${message}\n`)
    process.exit(0)
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)
