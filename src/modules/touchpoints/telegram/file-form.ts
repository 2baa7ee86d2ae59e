import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { StreamedBody } from '../../../platform/outbound/outbound-http.js'
import type { OutgoingMessage } from '../adapter.js'

type Attachment = NonNullable<OutgoingMessage['attachment']>

/** Returns a form (`multipart/form-data`) with a file, which is read from the store while it is sent. */
export async function fileForm(
  store: AttachmentStore,
  { id, fileName, fileType, size }: Attachment,
  field: string,
  fields: Record<string, unknown>,
): Promise<{ type: string; body: StreamedBody }> {
  const boundary = `form-${randomUUID()}`
  const disposition = (name: string): string => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const texts = Object.entries(fields).map(([name, value]) => {
    return `${disposition(name)}\r\n\r\n${typeof value === 'object' ? JSON.stringify(value) : String(value)}\r\n`
  })
  const name = fileName.replaceAll(/[\r\n]/g, ' ').replaceAll('"', '%22')
  const head = Buffer.from(
    `${texts.join('')}${disposition(field)}; filename="${name}"\r\ncontent-type: ${fileType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const content = await store.read(id, size)
  async function* bytes(): AsyncGenerator<Buffer> {
    yield head
    yield* content as AsyncIterable<Buffer>
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: { bytes: head.length + size + tail.length, content: Readable.from(bytes(), { objectMode: false }) },
  }
}
