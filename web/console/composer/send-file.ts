import { t } from '../../shared/i18n/messages.js'
import type { ConsoleStore } from '../store/console-store.js'

interface UploadOptions {
  /** Sent again under the same key, it is the same attachment. */
  key: string
  signal: AbortSignal
  progressed(part: number): void
}

/** Uses XMLHttpRequest, since fetch does not report the progress of an upload. @returns the attachment's id */
export async function upload(
  store: ConsoleStore,
  file: File,
  { key, signal: until, progressed }: UploadOptions,
): Promise<string> {
  const token = await store.session.token({ user: store.user })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/v2/attachments')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('idempotency-key', key)
    request.upload.addEventListener('progress', ({ loaded, total }) => progressed(loaded / Math.max(total, 1)))
    request.addEventListener('load', () => {
      const answer = parsed(request.responseText)
      if (request.status === 201 && answer.id) resolve(answer.id)
      else reject(new Error(answer.message ?? `${t().composer.notUploaded} (${request.status})`))
    })
    request.addEventListener('error', () => reject(new Error(t().composer.notUploaded)))
    until.addEventListener('abort', () => request.abort())
    const body = new FormData()
    body.append('file', file)
    request.send(body)
  })
}

function parsed(text: string): { id?: string; message?: string } {
  try {
    return JSON.parse(text) as { id?: string; message?: string }
  } catch {
    return {}
  }
}
