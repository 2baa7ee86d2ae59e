import { open } from 'node:fs/promises'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import type { Share } from '../../platform/fairness/share.js'

/** Written and flushed at once: what commits wait for on a disk that the database shares. */
const PIECE_BYTES = 524_288

/**
 * Writes uploads to the disk in pieces, one at a time, each flushed, with pauses. The database flushes every commit to
 * what is usually the same disk, and would wait there behind all that uploads have written and not flushed yet.
 */
export class UploadDisk {
  constructor(private readonly turns: FairQueue) {}

  /** Creates the file; it survives a power failure once this resolves. @throws RateLimited */
  async write(path: string, chunks: AsyncIterable<Buffer>, share: Share): Promise<void> {
    const file = await open(path, 'wx')
    try {
      for await (const piece of piecesOf(chunks)) {
        await this.turns.run(share, async () => {
          await file.writev(piece)
          await file.datasync()
        })
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let piece: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    piece.push(chunk)
    bytes += chunk.length
    if (bytes < PIECE_BYTES) continue
    yield piece
    piece = []
    bytes = 0
  }
  if (piece.length > 0) yield piece
}
