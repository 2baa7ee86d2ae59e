// `npm run dev`: builds once, starts the server, and after a change transpiles the changed files alone and starts the server
// again. Types are checked beside it, since the compiler takes longer than the start.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { transformSync } from '@swc/core'
import { swcOptions } from './swc.config.js'

/** Changes within this time, such as those of a checkout, are one. */
const SETTLE_MS = 30
/** Folders of sources, and of what is made of them. */
const OUTPUTS = { src: 'dist/src', 'rest-compat': 'dist/rest-compat', 'client/src': 'client/dist' }
const PAGE_FILE = /\.(?:tsx?|css|graphql|html|json|mjs|svg)$/
const TSC = 'node_modules/typescript/bin/tsc'

const run = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status
if (run('web/build.mjs') !== 0) process.exit(1)
// With type errors it builds nevertheless, and prints them.
run(TSC, '-b', 'tsconfig.build.json')

// A group of its own: the script starts the compiler as a process, which would outlive it.
const compiler = spawn(process.execPath, [TSC, '--watch', '--preserveWatchOutput'], {
  stdio: 'inherit',
  detached: true,
})
// The server comes first.
setPriority(compiler.pid, constants.priority.PRIORITY_LOW)
let server = start()
const changed = new Map()
const changedPages = new Set()
let timer
let restarting = Promise.resolve()

for (const [folder, output] of Object.entries(OUTPUTS)) {
  watch(folder, { recursive: true }, (_event, name) => {
    if (!/\.(?:ts|json)$/.test(name ?? '')) return
    changed.set(join(folder, name), join(output, name.replace(/\.ts$/, '.js')))
    clearTimeout(timer)
    timer = setTimeout(apply, SETTLE_MS)
  })
}
// The pages: built anew, which takes the files that changed, and read by the server at its start.
watch('web', { recursive: true }, (_event, name) => {
  if (!PAGE_FILE.test(name ?? '') || name.startsWith('generated')) return
  changedPages.add(join('web', name))
  clearTimeout(timer)
  timer = setTimeout(apply, SETTLE_MS)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    process.kill(process.platform === 'win32' ? compiler.pid : -Number(compiler.pid))
    server.once('exit', (code) => process.exit(code ?? 0))
    server.kill(signal)
  })
}

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'dist/src/main.js'], { stdio: 'inherit' })
}

function apply() {
  const files = [...changed]
  const pages = [...changedPages]
  changed.clear()
  changedPages.clear()
  try {
    for (const [source, output] of files) transpile(source, output)
  } catch (error) {
    // Half of an edit: the server keeps running as it was.
    process.stderr.write(`${error.message}\n`)
    return
  }
  process.stdout.write(`Changed: ${[...files.map(([source]) => source), ...pages].join(', ')}\n`)
  // Their programs contain the client's package, too. With an error they stay as they were.
  const arePagesChanged = pages.length > 0 || files.some(([source]) => source.startsWith('client'))
  if (arePagesChanged && run('web/build.mjs') !== 0 && files.length === 0) return
  restarting = restarting.then(restart)
}

function transpile(source, output) {
  // The next build takes none of this output for its own.
  for (const info of ['dist/.tsbuildinfo', 'client/dist/.tsbuildinfo']) rmSync(info, { force: true })
  if (!existsSync(source)) return rmSync(output, { force: true })
  mkdirSync(dirname(output), { recursive: true })
  if (!source.endsWith('.ts')) return copyFileSync(source, output)
  const { code } = transformSync(readFileSync(source, 'utf8'), { ...swcOptions, filename: source, swcrc: false })
  return writeFileSync(output, code)
}

/** One server at a time has the database of `.data`: the next one starts when the last one has ended. */
async function restart() {
  const last = server
  if (last.exitCode === null && last.signalCode === null) {
    const ended = new Promise((resolve) => void last.once('exit', resolve))
    last.kill()
    await ended
  }
  server = start()
}
