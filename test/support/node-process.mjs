// The server as `main.ts` starts it, from its sources, in a process of its own that a test can kill.
import './typescript-loader.js'

const { readConfig } = await import('../../src/platform/config.ts')
const { createServer } = await import('../../src/app/server.ts')
await createServer(readConfig())
