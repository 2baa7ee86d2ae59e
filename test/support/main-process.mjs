// `main.ts` from its sources, in a process of its own that a test can stop by a signal.
import './typescript-loader.js'

await import('../../src/main.ts')
