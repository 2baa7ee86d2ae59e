import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { JsonObject } from '../../platform/json.js'

/** A value of a document with its offset in the text: of a map also those of its keys. */
export type LocatedNode =
  | [offset: number, value: string | number | boolean | null]
  | [offset: number, value: 'list', items: LocatedNode[]]
  | [offset: number, value: 'map', members: [key: string, offset: number, value: LocatedNode][]]

/** A mistake in a document, and its offset in the text. */
export interface Mistake {
  offset: number
  field: string
  message: string
}

/** A processor's time for a document: one of a million characters takes some seconds, and a longer time means one made for it. */
const TASK_CPU_MS_MAX = 10_000
/** Time in all, on a machine that has much else to do. */
const TASK_MS_MAX = 60_000
const LOOK_EVERY_MS = 1_000
const MEGABYTES_MAX = 512

/**
 * Code of the worker: the library, which takes seconds for a large text, and what makes plain values of its nodes. A string, since
 * the sources of tests are no files that a worker could load.
 */
const WORKER = String.raw`
const { parentPort, workerData: { library, depthMax, nodesMax } } = require('node:worker_threads')
const { isAlias, isMap, isScalar, isSeq, parseDocument, stringify } = require(library)
class Wrong extends Error {
  constructor(node, field, message) {
    super(message)
    this.mistake = { offset: node?.range?.[0] ?? 0, field: field || 'document', message }
  }
}
function storable(text, node, field, what) {
  const problem = text.includes('\0') ? 'the character U+0000' : text.isWellFormed() ? null : 'half of a surrogate pair'
  if (problem) throw new Wrong(node, field, what + ' must not contain ' + problem)
}
let nodes = 0
function read(node, field, depth) {
  const offset = node?.range?.[0] ?? 0
  if (++nodes > nodesMax) throw new Wrong(node, field, 'the document has more than ' + nodesMax + ' values')
  if (node === null || node === undefined) return [offset, null]
  if (isAlias(node)) throw new Wrong(node, field, 'the alias *' + node.source + ' is refused: write out what it stands for')
  if (node.anchor) throw new Wrong(node, field, 'the anchor &' + node.anchor + ' is refused: aliases are')
  if (node.tag !== undefined) throw new Wrong(node, field, 'the tag ' + node.tag + ' is refused')
  if (depth > depthMax) throw new Wrong(node, field, 'the document is nested more than ' + depthMax + ' levels deep')
  if (isSeq(node)) return [offset, 'list', node.items.map((item, index) => read(item, field + '[' + index + ']', depth + 1))]
  if (!isMap(node)) {
    const { value } = node
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Wrong(node, field, value + ' is refused')
    if (typeof value === 'string') storable(value, node, field, field || 'the document')
    return [offset, value]
  }
  const names = new Set()
  return [offset, 'map', node.items.map(({ key, value }) => {
    if (!isScalar(key) || typeof key.value !== 'string' || key.tag !== undefined || key.anchor)
      throw new Wrong(key ?? node, field, 'a key must be a plain text')
    const name = key.value
    storable(name, key, field, 'a key')
    const at = field === '' ? name : field + '.' + name
    if (names.has(name)) throw new Wrong(key, at, JSON.stringify(name) + ' is there twice')
    if (name === '__proto__') throw new Wrong(key, at, JSON.stringify(name) + ' is not a known key')
    names.add(name)
    return [name, key.range[0], read(value, at, depth + 1)]
  })]
}
parentPort.on('message', ({ text, value }) => {
  if (value !== undefined) {
    const options = { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core', version: '1.2' }
    return parentPort.postMessage(stringify(value, options))
  }
  nodes = 0
  try {
    // Unique keys are looked for above: the library compares each with all others. If it is silent, it reads the first of several documents.
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', schema: 'core', version: '1.2', merge: false, uniqueKeys: false })
    const wrong = [...document.errors, ...document.warnings].slice(0, 50)
    const wordOf = ({ code, message }) =>
      code === 'MULTIPLE_DOCS' ? 'a second document begins here: write one, or apply one after the other'
        : message.startsWith('Maximum call stack') ? 'the document is nested too deeply' : message
    const mistakes = wrong.map((each) => ({ offset: each.pos[0], field: 'document', message: wordOf(each) }))
    parentPort.postMessage(mistakes.length > 0 ? { mistakes } : { root: read(document.contents, '', 1) })
  } catch (error) {
    const message = error instanceof RangeError ? 'the document is nested too deeply' : String(error?.message)
    parentPort.postMessage({ mistakes: [error instanceof Wrong ? error.mistake : { offset: 0, field: 'document', message }] })
  }
})`

const DEPTH_MAX = 40
const NODES_MAX = 200_000

export type Parsed = { root: LocatedNode } | { mistakes: Mistake[] }

type Task = { text: string } | { value: JsonObject }

/** Parses and writes documents in a thread of its own, one after the other: one that takes long holds up no request. */
export class DocumentThread {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()

  /** Parses a document after those before it: whoever gives one has a turn, so that few wait. */
  async parse(text: string): Promise<Parsed> {
    const parsed = await this.#run<Parsed>({ text })
    if (parsed) return parsed
    const message = 'the document takes too long to read: make it smaller'
    return { mistakes: [{ offset: 0, field: 'document', message }] }
  }

  /** Writes a value as YAML, always alike. @returns null if that takes too long */
  write(value: JsonObject): Promise<string | null> {
    return this.#run<string>({ value })
  }

  async stop(): Promise<void> {
    await this.#end()
  }

  #run<Result>(task: Task): Promise<Result | null> {
    const result = this.#last.then(() => this.#runNow<Result>(task))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #runNow<Result>(task: Task): Promise<Result | null> {
    const worker = (this.#worker ??= startWorker())
    const { promise, resolve } = Promise.withResolvers<Result | null>()
    const began = performance.now()
    const before = cpuMsOf(worker)
    const look = async (): Promise<void> => {
      const isOver = performance.now() - began > TASK_MS_MAX
      if (isOver || (await cpuMsOf(worker)) - (await before) > TASK_CPU_MS_MAX) resolve(null)
    }
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    const fail = (): void => resolve(null)
    worker.once('message', resolve).once('error', fail).once('exit', fail)
    try {
      worker.postMessage(task)
      const result = await promise
      if (result === null) await this.#end()
      return result
    } finally {
      clearInterval(timer)
      worker.off('message', resolve).off('error', fail).off('exit', fail)
    }
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}

/** Returns the processor's time that a thread has used; 0 if it does not run yet, or any more. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return 0
  }
}

function startWorker(): Worker {
  const library = createRequire(import.meta.url).resolve('yaml')
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: { library, depthMax: DEPTH_MAX, nodesMax: NODES_MAX },
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
    // Nothing of the server's environment.
    env: {},
  })
  worker.unref()
  worker.on('error', () => {})
  return worker
}
