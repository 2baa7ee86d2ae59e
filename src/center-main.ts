import pino from 'pino'
import { runCenterCommand } from './app/center/run-command.js'
import { readConfig } from './platform/config.js'

const log = pino({ level: 'warn' }, pino.destination(2))

/** Runs `npm run center`, with the settings of the server. */
runCenterCommand(readConfig(), log, process.argv.slice(2)).then(
  (message) => {
    process.stdout.write(`${message}\n`)
    process.exit(0)
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)
