import { runRoutingCommand } from './app/routing/run-command.js'

/** Runs `npm run routing` against a running server. */
runRoutingCommand(process.argv.slice(2), process.env).then(
  ({ output, code }) => {
    process.stdout.write(output.endsWith('\n') ? output : `${output}\n`)
    process.exitCode = code
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
