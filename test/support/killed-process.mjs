// The server as `node-process.mjs` starts it, which kills itself with the KILL_AT-th thing that it waits for once it has claimed a
// delivery, or stored an event of a provider: a statement's answer, or a provider's.
import './typescript-loader.js'

const { syncBuiltinESMExports } = await import('node:module')
const { default: http } = await import('node:http')
const { default: pg } = await import('pg')

const at = Number(process.env.KILL_AT)
const armedBy = new RegExp(process.env.KILL_AFTER)
let isArmed = false
let steps = 0

function step() {
  if (isArmed && ++steps >= at) process.kill(process.pid, 'SIGKILL')
}

const query = pg.Client.prototype.query
pg.Client.prototype.query = function (...given) {
  const [config] = given
  const text = config?.text ?? config
  if (typeof text === 'string' && armedBy.test(text)) isArmed = true
  const answer = query.apply(this, given)
  // Before it is sent, and once it is answered.
  step()
  if (typeof answer?.then === 'function') answer.then(step, step)
  return answer
}
const request = http.request
http.request = function (...given) {
  const asked = request.apply(this, given)
  asked.once('response', step)
  return asked
}
syncBuiltinESMExports()

const { readConfig } = await import('../../src/platform/config.ts')
const { createServer } = await import('../../src/app/server.ts')
await createServer(readConfig())
