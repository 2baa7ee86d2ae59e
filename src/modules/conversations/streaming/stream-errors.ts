import { NotFound, RateLimited, Unprocessable } from '../../../platform/errors.js'
import type { StreamEnding } from '../../messages/stream-ending.js'

export function streamNotFound(): NotFound {
  return new NotFound('Message stream not found')
}

export function streamEnded(ending: StreamEnding, length: number): Unprocessable {
  return new Unprocessable(`the stream has ended: ${ending}`, { reason: 'STREAM_ENDED', ending, length })
}

/** @param length where the stream ends */
export function wrongOffset(field: 'offset' | 'length', given: number, length: number): Unprocessable {
  const message =
    field === 'offset'
      ? `offset ${given} is not where the stream ends: it has ${length} UTF-16 units`
      : `length ${given} is not that of the stream, which has ${length} UTF-16 units`
  return new Unprocessable(message, { reason: 'STREAM_OFFSET', field, length })
}

export function tooManyStreams(message: string): RateLimited {
  return new RateLimited(message, 1, { reason: 'STREAM_LIMIT' })
}
