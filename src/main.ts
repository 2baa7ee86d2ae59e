import { readConfig } from './config.js'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 17)) {
  process.stderr.write(`Node ${process.versions.node} is too old: use 22.17 or newer. "npm start" brings its own.\n`)
  process.exit(1)
}

/** How long draining may take before the process ends all the same. */
const DRAIN_MS = 9_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const { createServer } = await import('./server.js')
  const server = await createServer(config)
  announce(server.url, config.publicUrl, server.firstOwner)
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

interface Owner {
  email: string
  generatedPassword: string | null
}

function announce(url: string, publicUrl: string, owner: Owner | null): void {
  const lines = [
    `Switchboard listens on ${url} (public address ${publicUrl})`,
    `  GraphQL    ${publicUrl}/graphql   (open it in a browser for GraphiQL)`,
    `  REST       ${publicUrl}/v2        (${publicUrl}/v2/docs)`,
  ]
  if (owner) {
    const password = owner.generatedPassword
    lines.push(
      `  Sign in    ${owner.email}, password ${password ?? 'as given by ADMIN_PASSWORD'}`,
      ...(password ? ['             shown only this once: keep it'] : []),
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}\n`)
})

main().catch(fail)
