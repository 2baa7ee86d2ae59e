// Opens the hints of a node, closes them a moment later, and says so, and when it is kept after that; nothing keeps it.
import '../support/typescript-loader.js'

const { RedisHints } = await import('../../src/platform/events/redis-hints.ts')
const log = { debug: () => undefined, warn: () => undefined }
const hints = new RedisHints({ url: process.argv[2], nodeId: 'n', sealer: { keyId: 'test' }, log })
hints.want('told')
await new Promise((resolve) => setTimeout(resolve, Number(process.argv[3])))
await hints.close()
process.stdout.write('closed')
// Before the two seconds for which ioredis by itself keeps a process.
setTimeout(() => process.stdout.write(', and kept'), 1_900).unref()
