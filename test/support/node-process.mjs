// The server as `main.ts` starts it, from its sources, in a process of its own that a test can kill.
import './typescript-loader.js'

const { readConfig } = await import('../../src/config.ts')
const { createServer } = await import('../../src/server.ts')
await createServer(readConfig())
