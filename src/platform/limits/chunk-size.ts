import type { IncomingMessage } from 'node:http'
import { BadUserInput } from '../errors.js'

/** So many chunks of a body may be of any size: a client that streams may flush small pieces now and then. */
const FREE_CHUNKS = 250
/** Mean size of each further so many chunks. */
const MEAN_BYTES_MIN = 64

const cutOff = new WeakSet<IncomingMessage>()

/**
 * Ends the body of a request when its chunks are small (`Transfer-Encoding: chunked`): each costs as much as thousands
 * of bytes, so that one connection with chunks of a byte would keep the process busy. Whoever reads the body asks
 * `refuseSmallChunks` at its end.
 * @param cut called once: the rest of what the connection sends must not be parsed
 */
export function limitChunks(request: IncomingMessage, cut: () => void): void {
  let count = 0
  /** Bytes of the chunks since the last whole multiple of the free ones. */
  let bytes = 0
  // Node's parser gives each chunk to this method.
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null): boolean => {
    if (cutOff.has(request)) return true
    if (chunk === null) return push(null)
    count += 1
    bytes += chunk.length
    const isFine = count <= FREE_CHUNKS || count % FREE_CHUNKS > 0 || bytes >= FREE_CHUNKS * MEAN_BYTES_MIN
    if (count % FREE_CHUNKS === 0) bytes = 0
    if (isFine) return push(chunk)
    cutOff.add(request)
    cut()
    // Else Node takes the request for aborted, and closes the connection before the answer.
    request.complete = true
    return push(null)
  }
}

/** @throws BadUserInput if the body was ended because of its chunks */
export function refuseSmallChunks(request: IncomingMessage): void {
  if (!cutOff.has(request)) return
  const rule = `after ${FREE_CHUNKS} chunks the mean size of as many must be at least ${MEAN_BYTES_MIN} bytes`
  throw new BadUserInput('Transfer-Encoding', `the chunks of the body are too small: ${rule}`)
}
