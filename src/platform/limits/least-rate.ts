/** A client that is waited for so long for so many bytes is cut off: 1 KiB a second, with pauses of some seconds. */
const LEAST_RATE = { waitMs: 15_000, bytes: 15 * 1_024 }

/**
 * Passes on what a client sends, and calls `cut` when it sends too slowly: what it has sent is held until all is there.
 * Time in which nobody waits for the client does not count.
 */
export async function* atLeastRate(
  chunks: AsyncIterable<Buffer>,
  cut: () => void,
  { waitMs, bytes: bytesMin } = LEAST_RATE,
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  let waitedMs = 0
  let bytes = 0
  try {
    for (;;) {
      const since = performance.now()
      const timer = setTimeout(cut, waitMs - waitedMs)
      const { done, value } = await iterator.next().finally(() => clearTimeout(timer))
      if (done) return
      waitedMs += performance.now() - since
      bytes += value.length
      if (bytes >= bytesMin) [waitedMs, bytes] = [0, 0]
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
