import pino from 'pino'
import { backUp, move, restore } from './app/backup/commands.js'
import { readConfig } from './platform/config.js'

const COMMANDS = { backup: backUp, restore, move }
const USAGE =
  'usage: npm run backup -- <new folder> | npm run restore -- <folder> [--erasures <file>] | npm run move -- postgresql://… | ' +
  'npm run move -- --unfence'

/** Runs `npm run backup`, `restore` and `move`, with the settings of the server. */
async function main([name, target, ...others]: string[]): Promise<void> {
  const command = COMMANDS[name as keyof typeof COMMANDS] as (typeof COMMANDS)['restore'] | undefined
  const [option, file] = others
  const hasErasures = name === 'restore' && option === '--erasures' && others.length === 2
  if (!command || !target || (others.length > 0 && !hasErasures)) throw new Error(USAGE)
  const log = pino({ level: 'warn' }, pino.destination(2))
  process.stdout.write(`${await command(readConfig(), log, target, file)}\n`)
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)
